import { type SQL, sql } from 'drizzle-orm'
import { pricesAreLoweredFrom } from '#store/catalogue/price-invariants.ts'
import { reductionSql } from '#store/catalogue/pricing/discount-codes.ts'
import { bankInvariants } from '#store/orders/bank/bank-invariants.ts'
import { documentInvariants } from '#store/orders/documents/document-invariants.ts'
import { onAccountInvariants } from '#store/orders/on-account/on-account-invariants.ts'
import { returnInvariants } from '#store/orders/returns/return-invariants.ts'
import { linePriceIsHonoured } from '#store/orders/table.ts'
import { withdrawalInvariants } from '#store/orders/withdrawals/withdrawal-invariants.ts'

/** Pieces of a line that have left the stock for it. */
const takenSql = sql`(l.quantity + l.replaced - l.restocked)`

/** Each statement returns one row per violation of the sentence, in the column `fault`. */
export const databaseInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'Stock is never negative; what came first and what was corrected is what lies there and what orders have taken',
    [
      sql`select format('%s has %s pieces in stock, its movements make %s', name, available_quantity, moved) as fault from tools t,
            lateral (select coalesce(sum(pieces), 0) as moved from stock_movements where tool_id = t.id) m
          where moved <> available_quantity or available_quantity < 0`,
      sql`select format('%s had %s pieces, has %s, and orders have taken %s', name, had, available_quantity, taken) as fault from tools t,
            lateral (select coalesce(sum(pieces), 0) as had from stock_movements where tool_id = t.id and reason in ('initial', 'correction')) m,
            lateral (select coalesce(sum(${takenSql}), 0) as taken from order_lines l where tool_id = t.id) o
          where had <> available_quantity + taken`,
      sql`select format('Line %s of order %s has taken %s pieces, the movements of stock make %s', position, number, ${takenSql}, moved) as fault
          from order_lines l join orders o on o.id = l.order_id,
            lateral (select -coalesce(sum(pieces), 0) as moved from stock_movements where order_line_id = l.id) m
          where moved <> ${takenSql}`,
      sql`select format('Order %s is %s and keeps %s pieces of line %s', number, order_status, ${takenSql}, position) as fault
          from order_lines l join orders o on o.id = l.order_id
          where (order_status in ('expired', 'cancelled') or l.is_released) and ${takenSql} <> 0`,
    ],
  ],
  [
    'An order costs what its lines cost, each its quantity at the price of the time when it was placed less its reduction, in cents',
    [
      sql`select format('Order %s costs %s cents, its lines %s, delivery %s and tax %s', number, total_cents, goods, delivery_cents,
            o.tax_cents - o.included_tax_cents) as fault
          from orders o, lateral (select coalesce(sum(l.total_cents), 0) as goods from order_lines l where order_id = o.id and not is_released) lines
          where goods_cents <> goods or o.total_cents <> goods + delivery_cents - o.included_tax_cents + o.tax_cents`,
      sql`select format('The tax of order %s is %s cents, its rates make %s and its lines %s', number, o.tax_cents, by_rate, of_lines) as fault
          from orders o, lateral (select coalesce(sum((rate ->> 'taxCents')::integer), 0) as by_rate from jsonb_array_elements(taxes) rate) r,
            lateral (select coalesce(sum(l.tax_cents), 0) as of_lines from order_lines l where order_id = o.id and not is_released) lines
          where by_rate <> o.tax_cents or of_lines > o.tax_cents or (of_lines < o.tax_cents and delivery_cents = 0)`,
      sql`select format('Order %s costs %s cents, its lines are charged %s and its delivery of %s the rest', number, o.total_cents, charged, delivery_cents) as fault
          from orders o, lateral (select coalesce(sum(charged_cents), 0) as charged from order_lines where order_id = o.id and not is_released) lines
          where charged > o.total_cents or (charged < o.total_cents and delivery_cents = 0)`,
      sql`select format('Line %s of order %s costs %s cents, its pieces %s less %s', position, number, l.total_cents, unit_price_cents::bigint * quantity, reduction_cents) as fault
          from order_lines l join orders o on o.id = l.order_id where l.total_cents <> unit_price_cents::bigint * quantity - reduction_cents`,
      sql`select format('Order %s has %s lines, the last at position %s', number, count(l.id), max(position)) as fault
          from orders o left join order_lines l on l.order_id = o.id group by o.id having count(l.id) = 0 or count(l.id) <> max(position)`,
    ],
  ],
  [
    'A line costs what price breaks and the prices of its buyer made it cost when it was ordered, less what a discount code took off',
    [
      sql`select format('A piece of line %s of order %s costs %s cents (%s), of %s cents with the price breaks %s and the own price %s', position, number,
            unit_price_cents, price_reason, list_price_cents, offered_breaks, coalesce(own_price_cents::text, 'none')) as fault
          from order_lines l join orders o on o.id = l.order_id where not (${linePriceIsHonoured})`,
      sql`select format('%s cents are taken off order %s, %s makes %s', taken, number, coalesce(code, 'no code'), due) as fault
          from orders o left join discount_codes c on c.id = discount_code_id,
            lateral (select sum(reduction_cents) as taken, sum(unit_price_cents::bigint * quantity) as cost, sum(quantity) as pieces
              from order_lines where order_id = o.id) l,
            lateral (select case when c.id is null then 0 else ${reductionSql(sql`cost`, sql`pieces`)} end as due) d
          where taken <> due`,
      sql`select format('The code %s has %s uses, its orders make %s', code, uses, made) as fault from discount_codes c,
            lateral (select count(*) as made from orders where discount_code_id = c.id and order_status not in ('cancelled', 'expired')) o
          where made <> uses`,
    ],
  ],
  [
    'An order is paid exactly if one payment has taken its money, and not all of it has gone back',
    [
      sql`select format('Order %s is %s and %s, its payment %s with %s of %s cents gone back', number, order_status, payment_status,
            coalesce(p.state, 'none'), p.refunded_cents, p.amount_cents) as fault
          from orders o left join payments p on p.id = o.payment_id
          where o.payment_method <> 'on_account' and o.is_paid <> coalesce(p.state = 'succeeded' and p.refunded_cents < p.amount_cents, false)
            and not (order_status = 'open' and payment_status = 'partly_paid' and p.method = 'bank_transfer')
            and not (order_status in ('expired', 'cancelled') and exists (select from refunds r where r.payment_id = p.id and r.state = 'asked'))`,
      sql`select format('Order %s is %s, its payments make it %s', number, payment_status, payment_status_of(o.id)) as fault
          from orders o where payment_status <> payment_status_of(o.id)`,
      sql`select format('The payment %s took %s cents (%s), order %s costs %s (%s)', p.id, p.amount_cents, p.currency, number, o.total_cents, o.currency) as fault
          from payments p join orders o on o.payment_id = p.id
          where (o.total_cents <> p.amount_cents and (p.method <> 'bank_transfer' or p.amount_cents > o.total_cents - o.written_off_cents))
            or o.currency <> p.currency`,
      sql`select format('There are orders in %s', string_agg(distinct currency, ', ')) as fault from orders having count(distinct currency) > 1`,
      sql`select format('%s cents of the payment %s have gone back, its refunds make %s', refunded_cents, p.id, back) as fault
          from payments p, lateral (select coalesce(sum(amount_cents), 0) as back from refunds where payment_id = p.id and state in ('pending', 'succeeded')) r
          where back <> refunded_cents`,
      sql`select format('The payment %s has succeeded and belongs to no order', id) as fault from payments where state = 'succeeded' and order_id is null`,
    ],
  ],
  [
    'The lines of a refund add up to it, and what has gone back of a line is what its refunds say',
    [
      sql`select format('The refund %s of order %s is %s cents, its lines make %s', r.id, number, r.amount_cents, of_lines) as fault
          from refunds r join orders o on o.id = r.order_id,
            lateral (select coalesce(sum(amount_cents), 0) as of_lines from refund_lines where refund_id = r.id) f
          where of_lines <> r.amount_cents`,
      sql`select format('%s cents of line %s of order %s have gone back, its refunds make %s', l.refunded_cents, position, number, back) as fault
          from order_lines l join orders o on o.id = l.order_id, lateral (select coalesce(sum(f.amount_cents), 0) as back
            from refund_lines f join refunds r on r.id = f.refund_id where f.order_line_id = l.id and r.state in ('pending', 'succeeded')) b
          where back <> l.refunded_cents`,
      sql`select format('The refund %s of order %s is for a line of another order, or for another payment than the order has', r.id, number) as fault
          from refunds r join orders o on o.id = r.order_id join refund_lines f on f.refund_id = r.id join order_lines l on l.id = f.order_line_id
          where l.order_id <> o.id or r.payment_id is distinct from o.payment_id`,
      sql`select format('The delivery of order %s was charged %s cents, its refunds give back %s', number, charged, back) as fault
          from orders o, lateral (select coalesce(sum(f.amount_cents), 0) as back
              from refund_lines f join refunds r on r.id = f.refund_id where r.order_id = o.id and f.is_delivery and r.state <> 'failed') b,
            lateral (select o.total_cents - coalesce(sum(charged_cents), 0) as charged
              from order_lines where order_id = o.id and not is_released) l
          where back > charged`,
    ],
  ],
  [
    'No more pieces of a line are packed, sent, cancelled, returned or back in stock than there are, and what is sent left in shipments',
    [
      sql`select format('Line %s of order %s: of %s pieces %s packed, %s sent, %s cancelled, %s returned, %s back in stock', position, number,
            quantity, packed, sent, cancelled, returned, restocked) as fault
          from order_lines l join orders o on o.id = l.order_id
          where packed + cancelled > quantity or sent > packed or returned > sent + resent or restocked > quantity + replaced
            or least(packed, sent, cancelled, returned, restocked) < 0`,
      sql`select format('Line %s of order %s has %s pieces cancelled, its refunds make %s', position, number, cancelled, refunded) as fault
          from order_lines l join orders o on o.id = l.order_id, lateral (select coalesce(sum(f.pieces - f.returned), 0) as refunded
            from refund_lines f join refunds r on r.id = f.refund_id where f.order_line_id = l.id and (r.refund_id is not null or r.state = 'succeeded' or r.payment_id is null)) f
          where not is_released and cancelled > refunded`,
      sql`select format('%s pieces of line %s of order %s are sent, its shipments make %s', sent, position, number, shipped) as fault
          from order_lines l join orders o on o.id = l.order_id,
            lateral (select coalesce(sum(f.quantity), 0) as shipped from shipment_lines f join shipments s on s.id = f.shipment_id
              where f.order_line_id = l.id and s.return_id is null and taken_back_at is null) s
          where shipped <> sent`,
      sql`select format('Shipment %s of order %s has no lines, or one of another order', s.number, o.number) as fault
          from shipments s join orders o on o.id = s.order_id, lateral (select coalesce(bool_and(l.order_id = o.id), false) as ok
            from shipment_lines f join order_lines l on l.id = f.order_line_id where f.shipment_id = s.id) lines
          where not ok`,
      sql`select format('Order %s is sent, and %s', number, order_status) as fault from orders
          where order_status = 'placed' and fulfilment_status in ('sent', 'delivered') and (payment_status <> 'partly_paid' or payment_method = 'on_account')`,
      sql`select format('Order %s is %s, its lines make it %s', number, fulfilment_status, made) as fault from orders o, lateral (
            select case when sum(sent) = 0 then 'to_send' when bool_and(sent + greatest(cancelled, restocked - returned_restocked) >= quantity
                or (refunded_cents > 0 and refunded_cents = charged_cents)) then 'sent' else 'partly_sent' end as made
            from order_lines where order_id = o.id) lines
          where case when made = 'sent' and not exists (select from shipments where order_id = o.id and return_id is null and taken_back_at is null and delivered_on is null)
            then 'delivered' else made end <> fulfilment_status`,
    ],
  ],
  [
    "The card provider's ids of payments, refunds and events stand in the books once",
    [
      sql`select format('%s stands there %s times', id, count(*)) as fault from (
            select intent_id as id from payments union all select refund_id from refunds union all select id from webhook_events) ids
          where id is not null group by id having count(*) > 1`,
      sql`select format('The payment %s has succeeded without an id of the provider', id) as fault from payments where state = 'succeeded' and intent_id is null and method = 'card'`,
    ],
  ],
  [
    'No order is both paid and ended, unless its money goes back',
    [
      sql`select format('Order %s is %s, and of %s cents %s go back', number, order_status, p.amount_cents, back) as fault
          from orders o join payments p on p.id = o.payment_id,
            lateral (select coalesce(sum(amount_cents), 0) as back from refunds where payment_id = p.id and state <> 'failed') r
          where (order_status in ('expired', 'cancelled') or (order_status = 'completed' and fulfilment_status in ('to_send', 'partly_sent')))
            and p.state = 'succeeded' and back < p.amount_cents`,
    ],
  ],
  [
    'Every change of an order is a step that orders may take, and is written down with who and when',
    [
      sql`with steps as (select h.*, lag(order_status) over (partition by order_id order by id) as before,
              row_number() over (partition by order_id order by id desc) as from_last from order_history h)
          select format('Order %s: %s to %s at %s by %s', number, coalesce(before, 'nothing'), steps.order_status, at, actor) as fault
          from steps join orders o on o.id = order_id
          where case when before is null then steps.order_status <> case o.payment_method when 'on_account' then 'placed' else 'open' end or event <> 'placed'
              else before <> steps.order_status and not exists (
                select from status_steps s where s.status = 'order' and from_status = before and to_status = steps.order_status) end
            or (from_last = 1 and steps.order_status <> o.order_status)
            or (user_id is null and (actor = 'admin' or (actor = 'buyer' and not o.placed_by_guest)))`,
      sql`select format('Order %s has no history', number) as fault from orders o where not exists (select from order_history where order_id = o.id)`,
    ],
  ],
  [
    'No open order has outlived its hold: what is over is released within five minutes',
    [
      sql`select format('Order %s was held until %s and is open', number, hold_until) as fault from orders
          where order_status = 'open' and hold_until < (select began_at from job_runs where name = 'end holds') - interval '5 minutes'`,
    ],
  ],
  pricesAreLoweredFrom,
  ...documentInvariants,
  ...withdrawalInvariants,
  ...returnInvariants,
  ...bankInvariants,
  ...onAccountInvariants,
]
