import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { isUniqueViolation } from '#platform/database-errors.ts'
import { HttpError } from '#platform/http-error.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import type { User } from '#store/identity/contract.ts'
import { findVatIdProblem, normalizeVatId } from '#store/tax/vat-id.ts'
import type { Company, CompanyFields } from './contract.ts'
import {
  alreadyInCompanyError,
  lockEnteringAccount,
  lockManagedCompany,
  noCompanyError,
  recordCompanyChange,
  recordManagersChange,
} from './members.ts'
import { companies, companyMembers } from './table.ts'

/** Companies that an account can found: each leaves a row. */
const foundingLimit = { max: 5, seconds: 24 * 3600 }

/** The company of an account; undefined where it is in none. */
export async function findCompany(db: Database, { id }: Pick<User, 'id'>): Promise<Company | undefined> {
  const [found] = await db
    .select({
      _id: companies._id,
      name: companies.name,
      vatId: companies.vatId,
      foundedAt: companies.foundedAt,
      role: companyMembers.role,
      memberCount: sql<number>`(select count(*) from company_members as each where each.company_id = ${companies._id})::integer`,
    })
    .from(companyMembers)
    .innerJoin(companies, eq(companies._id, companyMembers.companyId))
    .where(eq(companyMembers.userId, id))
  return found
}

/** @throws {HttpError} 409 the account is in a company already; 400 this is no VAT id; 429 it has founded too many within a day */
export async function foundCompany(db: Database, user: User, fields: z.output<typeof CompanyFields>): Promise<Company> {
  const named = readFields(fields)
  if (await findCompany(db, user)) throw alreadyInCompanyError()
  await enforceRateLimit(
    db,
    `companies founded by ${user.id}`,
    foundingLimit,
    `You have founded ${foundingLimit.max} companies within a day`,
  )
  return db.transaction(async (tx) => {
    await lockEnteringAccount(tx, user.id)
    const [company] = await tx.insert(companies).values(named).returning({ _id: companies._id })
    if (!company) throw new Error('The company was not returned')
    await enterCompany(tx, { userId: user.id, companyId: company._id, role: 'manager', invitedBy: null })
    await recordCompanyChange(tx, company._id, { event: 'founded', userId: user.id, aboutUserId: user.id, detail: describe(named) })
    return getCompany(tx, user)
  })
}

/** @throws {HttpError} 404 no company; 403 no manager; 400 this is no VAT id; 429 too many changes of a day */
export async function changeCompany(db: Database, user: User, fields: z.output<typeof CompanyFields>): Promise<Company> {
  const named = readFields(fields)
  return db.transaction(async (tx) => {
    const { companyId } = await lockManagedCompany(tx, user)
    const before = await getCompany(tx, user)
    if (before.name !== named.name || before.vatId !== named.vatId) {
      await tx.update(companies).set(named).where(eq(companies._id, companyId))
      await recordManagersChange(tx, companyId, { event: 'renamed', userId: user.id, detail: describe(named) })
    }
    return getCompany(tx, user)
  })
}

/** @throws {HttpError} 409 the account is in a company already */
export async function enterCompany(tx: Database, member: Omit<typeof companyMembers.$inferInsert, 'joinedAt'>): Promise<void> {
  await tx
    .insert(companyMembers)
    .values({ ...member, joinedAt: sql`clock_timestamp()` })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? alreadyInCompanyError() : error
    })
}

/** The company that the account has just been found in, or has entered. */
export async function getCompany(tx: Database, user: Pick<User, 'id'>): Promise<Company> {
  const company = await findCompany(tx, user)
  if (!company) throw noCompanyError()
  return company
}

type Named = { name: string; vatId: string | null }

function readFields({ name, vatId = '' }: z.output<typeof CompanyFields>): Named {
  if (vatId === '') return { name, vatId: null }
  const message = findVatIdProblem(vatId)
  if (message) throw new HttpError(400, message, { vatId: message })
  return { name, vatId: normalizeVatId(vatId) }
}

const describe = ({ name, vatId }: Named) => (vatId ? `${name}, ${vatId}` : name)
