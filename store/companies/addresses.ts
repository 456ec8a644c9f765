import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatPostalAddress, type PostalAddress } from '#shared/postal-address.ts'
import type { User } from '#store/identity/contract.ts'
import type { CompanyAddress, CompanyAddressFields } from './address-contract.ts'
import { companyLimits } from './contract.ts'
import { companyFullError, findMembership, lockManagedCompany, recordCompanyChange, recordManagersChange } from './members.ts'
import { companyAddresses } from './table.ts'

const { _id, label, forDelivery, forInvoice, country, line1, line2, city, postalCode, state } = companyAddresses
const addressColumns = { _id, label, forDelivery, forInvoice, country, line1, line2, city, postalCode, state }

const addressNotFoundError = () => new HttpError(404, 'Your company has no such address')

/** @throws {HttpError} 404 the account is in no company */
export async function listAddresses(db: Database, user: Pick<User, 'id'>): Promise<CompanyAddress[]> {
  const { companyId } = await findMembership(db, user)
  return listAddressesOf(db, companyId)
}

/** By name. For whoever has found the company as that of an account. */
export const listAddressesOf = (db: Database, companyId: string): Promise<CompanyAddress[]> =>
  db
    .select(addressColumns)
    .from(companyAddresses)
    .where(eq(companyAddresses.companyId, companyId))
    .orderBy(asc(sql`lower(${companyAddresses.label})`))

/** Without the fields that are empty. */
export const toPostalAddress = ({ country, line1, line2, city, postalCode, state }: CompanyAddress): PostalAddress => ({
  ...{ country, line1, city },
  ...(line2 !== null && { line2 }),
  ...(postalCode !== null && { postalCode }),
  ...(state !== null && { state }),
})

/** @throws {HttpError} 404 no company; 403 no manager; 409 it has as many addresses as it can, or another one of this name; 429 */
export function addAddress(db: Database, user: User, fields: CompanyAddressFields): Promise<CompanyAddress> {
  return refusingTakenLabel(
    db.transaction(async (tx) => {
      const { companyId } = await lockManagedCompany(tx, user)
      if ((await tx.$count(companyAddresses, eq(companyAddresses.companyId, companyId))) >= companyLimits.addresses)
        throw companyFullError(`A company has at most ${companyLimits.addresses} addresses: remove one`)
      const [added] = await tx
        .insert(companyAddresses)
        .values({ companyId, ...toRow(fields) })
        .returning(addressColumns)
      if (!added) throw new Error('The address was not returned')
      await recordManagersChange(tx, companyId, { event: 'address added', userId: user.id, detail: describe(added) }, 'addresses')
      return added
    }),
  )
}

/** @throws {HttpError} 404 no company, or no such address; 403 no manager; 409 another address has this name; 429 */
export function changeAddress(db: Database, user: User, id: string, fields: CompanyAddressFields): Promise<CompanyAddress> {
  return refusingTakenLabel(
    db.transaction(async (tx) => {
      const { companyId } = await lockManagedCompany(tx, user)
      const [before] = await tx.select(addressColumns).from(companyAddresses).where(isAddressOf(companyId, id))
      const [changed] = await tx.update(companyAddresses).set(toRow(fields)).where(isAddressOf(companyId, id)).returning(addressColumns)
      if (!before || !changed) throw addressNotFoundError()
      const [was, is] = [describe(before), describe(changed)]
      if (was !== is)
        await recordManagersChange(tx, companyId, { event: 'address changed', userId: user.id, detail: `${was}; now ${is}` }, 'addresses')
      return changed
    }),
  )
}

/** @throws {HttpError} 404 no company, or no such address; 403 no manager */
export function removeAddress(db: Database, user: User, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { companyId } = await lockManagedCompany(tx, user)
    const [removed] = await tx.delete(companyAddresses).where(isAddressOf(companyId, id)).returning(addressColumns)
    if (!removed) throw addressNotFoundError()
    await recordCompanyChange(tx, companyId, { event: 'address removed', userId: user.id, detail: describe(removed) })
  })
}

const isAddressOf = (companyId: string, id: string) => and(eq(companyAddresses._id, id), eq(companyAddresses.companyId, companyId))

/** As the history says it. */
function describe(address: CompanyAddress): string {
  const uses = [address.forDelivery && 'deliveries', address.forInvoice && 'invoices'].filter(Boolean).join(' and ')
  return `${[address.label, ...formatPostalAddress(toPostalAddress(address))].join(', ')} (${uses})`
}

/** A field that was left empty is none. */
const toRow = ({ line2, postalCode, state, ...fields }: CompanyAddressFields) => ({
  ...fields,
  line2: line2 || null,
  postalCode: postalCode || null,
  state: state || null,
})

async function refusingTakenLabel<Result>(change: Promise<Result>): Promise<Result> {
  return change.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    const message = 'Another address of your company has this name'
    throw new HttpError(409, message, { label: message })
  })
}
