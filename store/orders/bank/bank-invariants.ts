import { type SQL, sql } from 'drizzle-orm'

/** What must always hold of the entries of the bank: see `databaseInvariants`. */
export const bankInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'Each entry of the bank is what it was assigned to and what is left of it, and each payment and refund by transfer is what was assigned to it, once',
    [
      sql`select format('Of the entry %s of %s cents %s are left, and %s are assigned', id, amount_cents, left_cents, assigned) as fault
          from bank_entries e, lateral (select coalesce(sum(amount_cents), 0) as assigned from bank_assignments where entry_id = e.id) a
          where abs(amount_cents) <> left_cents + assigned`,
      sql`select format('The payment %s by transfer is %s cents, its assignments make %s', id, amount_cents, assigned) as fault
          from payments p, lateral (select coalesce(sum(amount_cents), 0) as assigned from bank_assignments where payment_id = p.id) a
          where method = 'bank_transfer' and state = 'succeeded' and amount_cents <> assigned`,
      sql`select format('The entry %s has left the account and is assigned to a payment, or has come and is assigned to a refund', e.id) as fault
          from bank_entries e join bank_assignments a on a.entry_id = e.id where (e.amount_cents > 0) <> (a.payment_id is not null)`,
      sql`select format('The refund %s by transfer is %s and %s', r.id, r.state, case when t.refund_id is null then 'nobody has made it' else 'was made' end) as fault
          from refunds r join payments p on p.id = r.payment_id left join transfer_refunds t on t.refund_id = r.id
          where p.method = 'bank_transfer' and r.amount_cents > 0 and ((r.state = 'succeeded') <> (t.refund_id is not null) or r.refund_id is not null)`,
      sql`select format('The refund %s was transferred with %s cents, and is %s', r.id, a.amount_cents, r.amount_cents) as fault
          from bank_assignments a join refunds r on r.id = a.refund_id where a.amount_cents <> r.amount_cents`,
      sql`select format('Order %s awaits %s cents less than it costs, and its history says %s', number, written_off_cents, said) as fault
          from orders o, lateral (select coalesce(sum(amount_cents), 0) as said from order_history where order_id = o.id and event = 'shortfall accepted') h
          where written_off_cents <> said`,
    ],
  ],
]
