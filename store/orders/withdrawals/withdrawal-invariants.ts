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
      sql`select format('The withdrawal %s from order %s is of %s pieces of line %s that were sent, its return of %s', w.id, number, f.sent, position,
            coalesce(r.pieces, 0)) as fault
          from withdrawals w join orders o on o.id = w.order_id join withdrawal_lines f on f.withdrawal_id = w.id join order_lines l on l.id = f.order_line_id
            left join lateral (select quantity as pieces from return_lines where return_id = w.return_id and order_line_id = l.id) r on true
          where f.sent <> coalesce(r.pieces, 0) or l.order_id <> o.id`,
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
