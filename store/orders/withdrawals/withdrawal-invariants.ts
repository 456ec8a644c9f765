import { type SQL, sql } from 'drizzle-orm'

/** What must always hold of withdrawals: see `databaseInvariants`. */
export const withdrawalInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'What was withdrawn from is in a return or not sent, and no more than was ordered',
    [
      sql`select format('%s of %s pieces of line %s of order %s were withdrawn from', withdrawn, quantity, position, number) as fault
          from order_lines l join orders o on o.id = l.order_id,
            lateral (select coalesce(sum(quantity), 0) as withdrawn from withdrawal_lines where order_line_id = l.id) w
          where withdrawn > quantity`,
      sql`select format('The withdrawal %s from order %s is of %s pieces of line %s that were sent, its returns of %s', w.id, number, f.sent, position,
            r.pieces + t.pieces) as fault
          from withdrawals w join orders o on o.id = w.order_id join withdrawal_lines f on f.withdrawal_id = w.id join order_lines l on l.id = f.order_line_id,
            lateral (select coalesce(sum(quantity), 0) as pieces from return_lines where return_id = w.return_id and order_line_id = l.id) r,
            lateral (select coalesce(sum(quantity), 0) as pieces from withdrawn_return_lines where withdrawal_id = w.id and order_line_id = l.id) t
          where f.sent <> r.pieces + t.pieces or l.order_id <> o.id`,
      sql`select format('Of return R%s %s pieces of line %s of order %s have to be refunded, withdrawn from are %s of %s and refunded %s', r.number,
            must_refund, position, o.number, w.pieces, f.quantity, d.refunded) as fault
          from return_lines f join returns r on r.id = f.return_id join order_lines l on l.id = f.order_line_id join orders o on o.id = r.order_id,
            lateral (select case when r.cause = 'withdrawal' then f.quantity else coalesce(sum(quantity), 0) end as pieces
              from withdrawn_return_lines where return_id = f.return_id and order_line_id = f.order_line_id) w,
            lateral (select coalesce(sum(quantity), 0) as refunded
              from return_decisions d where d.return_id = f.return_id and d.order_line_id = f.order_line_id and outcome = 'refund') d
          where must_refund < w.pieces or must_refund > w.pieces + refunded or (w.pieces = 0 and must_refund > 0)`,
      sql`select format('The withdrawal %s of order %s has taken over pieces of return R%s, which is of another order or has none of them', w.id, o.number,
            r.number) as fault
          from withdrawn_return_lines t join withdrawals w on w.id = t.withdrawal_id join orders o on o.id = w.order_id join returns r on r.id = t.return_id
          where r.order_id <> o.id or not exists (select from withdrawal_lines f where f.withdrawal_id = w.id and f.order_line_id = t.order_line_id)`,
      sql`select format('The return %s of order %s comes of no withdrawal', r.number, o.number) as fault
          from returns r join orders o on o.id = r.order_id
          where cause = 'withdrawal' and not exists (select from withdrawals where return_id = r.id and order_id = o.id)`,
      sql`select format('The withdrawal %s from order %s gives back %s of the delivery, its refund %s', w.id, number, w.delivery_cents, refunded) as fault
          from withdrawals w join orders o on o.id = w.order_id,
            lateral (select coalesce(sum(amount_cents) filter (where is_delivery), 0) as refunded from refund_lines where refund_id = w.refund_id) f
          where refunded <> w.delivery_cents`,
      sql`select format('The withdrawal %s from order %s has no lines', w.id, number) as fault from withdrawals w join orders o on o.id = w.order_id
          where not exists (select from withdrawal_lines where withdrawal_id = w.id)`,
    ],
  ],
]
