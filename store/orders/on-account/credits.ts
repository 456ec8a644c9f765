import { desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import { shopDay } from '#shared/shop-day.ts'
import { companies, companyMembers } from '#store/companies/table.ts'
import type { User } from '#store/identity/contract.ts'
import { users } from '#store/identity/table.ts'
import { seller } from '#store/orders/documents/table.ts'
import type { CompanyAccount, CreditFields } from './contract.ts'
import { companyCredits, creditChanges } from './table.ts'

export const companyNotFoundError = () => new HttpError(404, 'There is no such company')

/**
 * Approves what a company may owe, and keeps who has done so.
 * @throws {HttpError} 404 no such company; 409 nobody has said who sells, so that no parcel could be invoiced
 */
export function changeCredit(db: Database, owner: User, companyId: string, fields: CreditFields): Promise<CreditFields> {
  return db.transaction(async (tx) => {
    const [company] = await tx.select({ _id: companies._id }).from(companies).where(eq(companies._id, companyId))
    if (!company) throw companyNotFoundError()
    if (fields.limitCents > 0 && (await tx.$count(seller)) === 0)
      throw new HttpError(409, 'Say first who sells, under Seller: what is sent on account is invoiced', undefined, {
        code: 'seller_unknown',
      })
    await tx
      .insert(companyCredits)
      .values({ companyId, ...fields })
      .onConflictDoUpdate({ target: companyCredits.companyId, set: fields })
    await tx.insert(creditChanges).values({ companyId, ...fields, userId: owner.id })
    return fields
  })
}

/** The newest changes of the credit of a company first. */
export const listCreditChanges = (db: Database, companyId: string): Promise<CompanyAccount['history']> =>
  db
    .select({
      limitCents: creditChanges.limitCents,
      dueDays: creditChanges.dueDays,
      note: creditChanges.note,
      at: creditChanges.at,
      by: users.email,
    })
    .from(creditChanges)
    .innerJoin(users, eq(users.id, creditChanges.userId))
    .where(eq(creditChanges.companyId, companyId))
    .orderBy(desc(creditChanges._id))
    .limit(50)

/** `problem`: why the order cannot be placed on account; null: it can */
type CreditOffer = { problem: string | null; dueDays: number }

/**
 * Whether an order of this cost fits the credit of the buyer's company now. The statement that places it asks again, under the lock of the credit.
 * @returns undefined where the buyer is of no company, or nothing is approved for it
 */
export async function findCreditOffer(
  db: Database,
  userId: string | null | undefined,
  totalCents: number,
): Promise<CreditOffer | undefined> {
  if (!userId) return undefined
  const today = shopDay(new Date())
  const [found] = await db
    .select({
      companyId: companyCredits.companyId,
      limitCents: companyCredits.limitCents,
      dueDays: companyCredits.dueDays,
      owedCents: sql`owed_by_company(${companyCredits.companyId})`.mapWith(Number),
      overdueCents: sql`overdue_of_company(${companyCredits.companyId}, ${today}::date)`.mapWith(Number),
    })
    .from(companyCredits)
    .innerJoin(companyMembers, eq(companyMembers.companyId, companyCredits.companyId))
    .where(eq(companyMembers.userId, userId))
  if (!found || found.limitCents === 0) return undefined
  const { limitCents, dueDays, overdueCents, companyId } = found
  if (overdueCents > 0) return { dueDays, problem: await describeOverdue(db, companyId, today) }
  const leftCents = leftToOrderCents(found)
  if (totalCents <= leftCents) return { dueDays, problem: null }
  const left = formatCents(leftCents)
  return { dueDays, problem: `Of the ${formatCents(limitCents)} that your company may owe ${left} are left: this order costs more` }
}

type Owed = { limitCents: number; owedCents: number; overdueCents: number }

/** For how much more a company can order on account. */
export const leftToOrderCents = ({ limitCents, owedCents, overdueCents }: Owed): number =>
  overdueCents > 0 ? 0 : Math.max(0, limitCents - owedCents)

/** The invoice that has been due longest. */
async function describeOverdue(db: Database, companyId: string, today: string): Promise<string> {
  const { rows } = await db.execute<{ number: string | null; order_number: number; due: string }>(sql`
    select documents.number, orders.number as order_number, parcel.due::text as due
    from orders, lateral parcels_on_account(orders.id) parcel 
      left join lateral (select number from documents where documents.shipment_id = parcel.shipment_id order by year desc, serial desc limit 1) documents on true
    where company_id = ${companyId} and payment_method = 'on_account' and payment_status in ('unpaid', 'partly_paid')
      and order_status in ('placed', 'completed') and parcel.due < ${today}::date and parcel.open_cents > 0
    order by parcel.due, orders.number limit 1`)
  const [oldest] = rows
  const name = oldest ? `${oldest.number ? `Invoice ${oldest.number}` : 'The invoice'} of order ${oldest.order_number}` : 'An invoice'
  return `${name} was due${oldest ? ` on ${formatDay(oldest.due)}` : ''}: once all that is overdue is paid, you can order on account again`
}

/** @throws {HttpError} 409 an order of this cost does not fit what the buyer's company may owe, or something is overdue, in words */
export async function assertCreditFits(db: Database, userId: string | null, totalCents: number): Promise<void> {
  const offer = await findCreditOffer(db, userId, totalCents)
  const problem = offer ? offer.problem : 'Orders on account are for companies that the shop has approved: choose another way to pay'
  if (problem) throw new HttpError(409, problem, { paymentMethod: problem }, { code: 'credit_refused' })
}
