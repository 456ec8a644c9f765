import { type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#platform/database.ts'
import { shopDay } from '#shared/shop-day.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { findSeller, sellerText } from '#store/orders/documents/seller.ts'
import { orderNotFoundError } from '#store/orders/order-queries.ts'
import { findBankAccount } from '#store/orders/payment-methods/rules.ts'
import {
  type Age,
  ages,
  type ByAge,
  type CompanyAccount,
  type listReceivables as endpoint,
  type OpenInvoice,
  type OpenOrder,
  type Receivable,
  reminderPauseDays,
} from './contract.ts'
import { companyNotFoundError, listCreditChanges } from './credits.ts'
import { readStatement } from './statement.ts'
import { reminderSettings } from './table.ts'

/* Who owes what, for how long. An order owes from when it is placed; how long is counted from when the invoice of each parcel was due. */

const pageSize = 25

/** The orders that owe something: a condition on `orders`, which has an index of them. */
export const isOwingSql = sql`payment_method = 'on_account' and payment_status in ('unpaid', 'partly_paid') and order_status in ('placed', 'completed')`

type OwedRow = { id: string; owed: string; overdue: string; back: string } & Record<Age, string>

/** What each company owes, by age, as CTE `owed`. @param which a condition on `orders` */
const owedSql = (today: string, which: SQL = sql`true`): SQL => {
  const days = sql`(${today}::date - parcel.due)`
  const open = (when: SQL) => sql`coalesce(sum(parcel.open_cents) filter (where ${when}), 0)`
  return sql`parcels as (
      select company_id, coalesce(sum(parcel.open_cents), 0) as invoiced, ${open(sql`${days} <= 0`)} as "not due", ${open(sql`${days} between 1 and 30`)} as "1-30",
        ${open(sql`${days} between 31 and 60`)} as "31-60", ${open(sql`${days} between 61 and 90`)} as "61-90", ${open(sql`${days} > 90`)} as "over 90"
      from orders, lateral parcels_on_account(orders.id) parcel where ${isOwingSql} and ${which} group by company_id
    ), owed as (
      select balance.company_id, owed, back, coalesce("not due", 0) as "not due", coalesce("1-30", 0) as "1-30", coalesce("31-60", 0) as "31-60",
        coalesce("61-90", 0) as "61-90", coalesce("over 90", 0) as "over 90", owed - coalesce(invoiced, 0) as "not invoiced"
      from (select company_id, coalesce(sum(balance_of(id)) filter (where ${isOwingSql}), 0) as owed,
          coalesce(-sum(balance_of(id)) filter (where payment_status = 'overpaid'), 0) as back
        from orders where payment_method = 'on_account' and payment_status in ('unpaid', 'partly_paid', 'overpaid') and ${which} group by company_id) balance
        left join parcels on parcels.company_id = balance.company_id
    )`
}

const toByAge = (row: Record<Age, string>): ByAge => Object.fromEntries(ages.map((age) => [age, Number(row[age])])) as ByAge

type ListedRow = OwedRow & { name: string; vat_id: string | null; limit_cents: number | null; due_days: number; note: string }

const toReceivable = (row: ListedRow): Receivable => {
  const byAge = toByAge(row)
  return {
    company: { _id: row.id, name: row.name, vatId: row.vat_id },
    credit: row.limit_cents === null ? null : { limitCents: row.limit_cents, dueDays: row.due_days, note: row.note },
    owedCents: Number(row.owed),
    overdueCents: Number(row.owed) - byAge['not invoiced'] - byAge['not due'],
    toGiveBackCents: Number(row.back),
    byAge,
  }
}

const findRows = async (db: Database, condition: SQL, rest: SQL, ofOrders?: SQL): Promise<ListedRow[]> => {
  const columns = sql.join(
    ages.map((age) => sql`coalesce(${sql.identifier(age)}, 0) as ${sql.identifier(age)}`),
    sql`, `,
  )
  const { rows } = await db.execute<ListedRow>(sql`with ${owedSql(shopDay(new Date()), ofOrders)}
    select companies.id, name, vat_id, limit_cents, due_days, note, coalesce(owed, 0) as owed, coalesce(back, 0) as back, ${columns}
    from companies left join owed on owed.company_id = companies.id left join company_credits on company_credits.company_id = companies.id
    where ${condition} ${rest}`)
  return rows
}

type ListQuery = z.output<(typeof endpoint)['schema']['querystring']>
type ListPage = z.output<(typeof endpoint)['schema']['response'][200]>

/** A page of companies: those that owe most first, then those with credit, then all others. */
export async function listReceivables(db: Database, { q, cursor = '0' }: ListQuery): Promise<ListPage> {
  const condition = q ? sql`position(lower(${q}) in lower(name)) > 0` : sql`true`
  const found = await findRows(
    db,
    condition,
    sql`order by coalesce(owed, 0) desc, coalesce(limit_cents, 0) desc, lower(name), companies.id limit ${pageSize + 1} offset ${Number(cursor)}`,
  )
  const sums = sql.join(
    ages.map((age) => sql`coalesce(sum(${sql.identifier(age)}), 0) as ${sql.identifier(age)}`),
    sql`, `,
  )
  const { rows } = await db.execute<OwedRow>(
    sql`with ${owedSql(shopDay(new Date()))} select coalesce(sum(owed), 0) as owed, ${sums} from owed`,
  )
  const [total] = rows
  const [settings] = await db.select({ days: reminderSettings.daysAfterDue }).from(reminderSettings)
  if (!total) throw new Error('The sums were not returned')
  return {
    companies: found.slice(0, pageSize).map(toReceivable),
    next: found.length > pageSize ? `${Number(cursor) + pageSize}` : null,
    total: { owedCents: Number(total.owed), byAge: toByAge(total) },
    reminderDays: settings?.days ?? null,
  }
}

export type StatementDays = { from?: string | undefined; to?: string | undefined }

/** @throws {HttpError} 404 no such company */
export async function showCompanyAccount(db: Database, companyId: string, period: StatementDays): Promise<CompanyAccount> {
  const toBePaid = await findToBePaid(db, companyId)
  return {
    ...(await findReceivable(db, companyId)),
    ...toBePaid,
    invoicesToRemind: (await findOpenInvoices(db, sql`orders.company_id = ${companyId} and ${isToBeRemindedSql(1)}`)).length,
    orders: await findOpenOrders(db, sql`company_id = ${companyId} and payment_status in ('unpaid', 'partly_paid', 'overpaid')`),
    ...(await findStatement(db, companyId, period)),
    history: await listCreditChanges(db, companyId),
  }
}

/** @throws {HttpError} 404 no such company */
export async function findReceivable(db: Database, companyId: string): Promise<Receivable> {
  const [row] = await findRows(db, sql`companies.id = ${companyId}`, sql``, sql`company_id = ${companyId}`)
  if (!row) throw companyNotFoundError()
  return toReceivable(row)
}

/** What a company is to pay, and to which account. */
export const findToBePaid = async (db: Database, companyId: string): Promise<Pick<CompanyAccount, 'invoices' | 'bankAccount'>> => ({
  invoices: await findOpenInvoices(db, sql`orders.company_id = ${companyId}`),
  bankAccount: await findBankAccount(db),
})

export async function findStatement(
  db: Database,
  companyId: string,
  period: StatementDays,
): Promise<Pick<CompanyAccount, 'statement' | 'seller'>> {
  const to = period.to ?? shopDay(new Date())
  const seller = await findSeller(db)
  return {
    statement: await readStatement(db, companyId, { from: period.from ?? `${to.slice(0, 4)}-01-01`, to }),
    seller: seller && sellerText(seller),
  }
}

/** Whether a `parcel` is overdue for so many days and was not reminded of lately. */
export const isToBeRemindedSql = (minDays: number): SQL => sql`
  parcel.due <= ${shopDay(new Date())}::date - ${minDays}::integer and not exists (
    select from reminder_lines join reminders on reminders.id = reminder_id
    where reminder_lines.shipment_id = parcel.shipment_id and recorded_at > now() - make_interval(days => ${reminderPauseDays}))`

/** How many invoices of parcels are overdue. */
export async function countOverdueInvoices(db: Database): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from orders, lateral parcels_on_account(orders.id) parcel
    where ${isOwingSql} and parcel.open_cents > 0 and parcel.due < ${shopDay(new Date())}::date`)
  return rows[0]?.count ?? 0
}

/** As many invoices as one answer or reminder has. */
const maxInvoices = 500

/** The invoices of parcels that are not paid, those that have been due longest first. @param which a condition on `orders` and `parcel` */
export async function findOpenInvoices(db: Database, which: SQL): Promise<OpenInvoice[]> {
  const today = shopDay(new Date())
  const { rows } = await db.execute<Record<string, string | number | null>>(sql`
    select parcel.shipment_id, orders.id as order_id, orders.number as order_number, shipments.number as parcel, documents.number,
      (sent_at at time zone ${storeTimeZone()})::date::text as sent_on, parcel.due::text as due, greatest(0, ${today}::date - parcel.due) as days_overdue,
      parcel.invoiced_cents, parcel.open_cents, coalesce(reminded.level, 0) as reminded_level, reminded.at as reminded_at
    from orders, lateral parcels_on_account(orders.id) parcel join shipments on shipments.id = parcel.shipment_id
      left join lateral (select number from documents where documents.shipment_id = parcel.shipment_id order by year desc, serial desc limit 1) documents on true
      left join lateral (select max(reminder_lines.level) as level, to_json(max(recorded_at)) #>> '{}' as at from reminder_lines join reminders on reminders.id = reminder_id
        where reminder_lines.shipment_id = parcel.shipment_id) reminded on true
    where ${isOwingSql} and parcel.open_cents > 0 and ${which}
    order by parcel.due, orders.number, shipments.number limit ${maxInvoices}`)
  return rows.map((row) => ({
    shipmentId: `${row.shipment_id}`,
    orderId: `${row.order_id}`,
    orderNumber: Number(row.order_number),
    parcel: Number(row.parcel),
    number: row.number === null ? null : `${row.number}`,
    sentOn: `${row.sent_on}`,
    dueOn: `${row.due}`,
    daysOverdue: Number(row.days_overdue),
    totalCents: Number(row.invoiced_cents),
    openCents: Number(row.open_cents),
    remindedLevel: Number(row.reminded_level),
    remindedAt: row.reminded_at === null ? null : new Date(`${row.reminded_at}`).toISOString(),
  }))
}

async function findOpenOrders(db: Database, which: SQL): Promise<OpenOrder[]> {
  const { rows } = await db.execute<Record<string, string>>(sql`
    select id, number, placed_at, total_cents, credited_cents_of(id) as credited, balance_of(id) as balance from orders
    where payment_method = 'on_account' and order_status <> 'open' and ${which} order by number limit 500`)
  return rows.map((row) => {
    const [totalCents, creditedCents, balanceCents] = [Number(row.total_cents), Number(row.credited), Number(row.balance)]
    return {
      _id: `${row.id}`,
      number: Number(row.number),
      placedAt: new Date(`${row.placed_at}`).toISOString(),
      totalCents,
      creditedCents,
      paidCents: totalCents - creditedCents - balanceCents,
      owedCents: Math.max(0, balanceCents),
      toGiveBackCents: Math.max(0, -balanceCents),
    }
  })
}

/** An order on account as the owner's page lists it. @throws {HttpError} 404 */
export async function findOrderOnAccount(db: Database, orderId: string): Promise<OpenOrder> {
  const [order] = await findOpenOrders(db, sql`id = ${orderId}`)
  if (!order) throw orderNotFoundError()
  return order
}
