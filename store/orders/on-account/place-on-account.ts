import { type SQL, sql } from 'drizzle-orm'
import { shopDay } from '#shared/shop-day.ts'
import { type Buyer, companyOfSql } from '#store/orders/buyer.ts'

/* What the statement that places an order does where it is on account, see `insertOrder`. */

/**
 * The CTE `acceptable`: what is in stock, with the terms of the company's credit where the order is on account. It has no row where the order does
 * not fit the credit, which is locked.
 * @param besideGoodsCents of delivery and tax
 */
export const withCreditSql = (buyer: Buyer, besideGoodsCents: number): SQL => sql`acceptable as materialized (
      select goods_cents, credit.* from in_stock cross join payment left join lateral take_credit(
        case payment.method when 'on_account' then ${companyOfSql(buyer)} end, goods_cents::bigint + ${besideGoodsCents}::integer, ${shopDay(new Date())}::date) credit on true
      where payment.method <> 'on_account' or credit.due_days is not null
    )`

/** The CTE that writes these terms beside the order. */
export const insertAccountOrderSql: SQL = sql`account as (
      insert into account_orders (order_id, company_id, due_days, limit_cents, owed_cents, total_cents)
      select placed.id, company_id, due_days, limit_cents, owed_cents, total_cents from placed, accepted where payment_method = 'on_account'
    )`
