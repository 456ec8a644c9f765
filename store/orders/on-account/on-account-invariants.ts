import { type SQL, sql } from 'drizzle-orm'

/** What must always hold of orders on account: see `databaseInvariants`. */
export const onAccountInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'An order on account has the terms of its company, and was within its limit when it was placed',
    [
      sql`select format('Order %s is %s, and its terms are of %s cents', number, payment_method, coalesce(a.total_cents::text, 'no')) as fault
          from orders o left join account_orders a on a.order_id = o.id
          where (payment_method = 'on_account') <> (a.order_id is not null)
            or a.total_cents <> o.total_cents or a.company_id is distinct from o.company_id and a.order_id is not null`,
      sql`select format('With order %s its company owed %s of %s cents', number, owed_cents::bigint + a.total_cents, limit_cents) as fault
          from account_orders a join orders o on o.id = a.order_id where owed_cents::bigint + a.total_cents > limit_cents`,
      // What the orders before it owe now is the least that they can have owed then.
      sql`select format('With order %s its company owed %s cents, by the orders before at least %s', number, owed_cents, least_owed) as fault
          from account_orders a join orders o on o.id = a.order_id,
            lateral (select coalesce(sum(greatest(0, balance_of(earlier.order_id))), 0) as least_owed from account_orders earlier
              where earlier.company_id = a.company_id and earlier.place < a.place) e
          where least_owed > owed_cents`,
    ],
  ],
  [
    'Each parcel of an order on account is invoiced once, for what its pieces cost, and no other order is invoiced by parcel',
    [
      sql`select format('Parcel %s of order %s is charged %s cents, its invoice says %s', s.number, o.number, charged, coalesce(d.total_cents::text, 'nothing')) as fault
          from shipments s join orders o on o.id = s.order_id left join documents d on d.shipment_id = s.id and d.corrects is null,
            lateral (select coalesce(s.delivery_cents, 0) + coalesce(sum(charged_cents), 0) as charged from shipment_lines l where l.shipment_id = s.id) c
          where (o.payment_method = 'on_account' and s.return_id is null) <> (s.due_on is not null)
            or s.due_on is not null and coalesce(d.total_cents, 0) <> charged and not exists (select from due_documents where shipment_id = s.id)
            or s.due_on is null and (d.id is not null or charged <> 0)`,
      sql`select format('Order %s costs %s cents, its parcels were invoiced for %s, and %s of it are not', number, o.total_cents, invoiced, not_invoiced) as fault
          from orders o,
            lateral (select coalesce(sum(delivery_cents), 0) + coalesce((select sum(charged_cents) from shipment_lines l join shipments p on p.id = l.shipment_id
              where p.order_id = o.id), 0) as invoiced from shipments s where s.order_id = o.id) i,
            lateral (select coalesce(sum(not_invoiced_cents), 0) as not_invoiced from refunds r join refund_lines f on f.refund_id = r.id
              where r.order_id = o.id and r.payment_id is null and r.state <> 'failed') n
          where payment_method = 'on_account' and (invoiced + not_invoiced > o.total_cents
            or order_status in ('completed', 'cancelled') and invoiced + not_invoiced <> o.total_cents)`,
    ],
  ],
  [
    'What is owed on account is what was invoiced, less credit notes and payments',
    [
      sql`select format('Order %s owes %s cents, its documents and payments make %s', number, balance, made) as fault
          from orders o,
            lateral (select balance_of(o.id) as balance) b,
            lateral (select coalesce(sum(case kind when 'invoice' then d.total_cents else -d.total_cents end), 0) as billed from documents d where order_id = o.id) d,
            lateral (select coalesce(sum(amount_cents - refunded_cents), 0) as paid from payments where order_id = o.id and state = 'succeeded' and not is_surplus) p,
            lateral (select case when billed > paid then greatest(0, billed - paid - written_off_cents) else billed - paid end as made) m
          where payment_method = 'on_account' and order_status in ('completed', 'cancelled') and made <> balance
            and not exists (select from due_documents where order_id = o.id)`,
      sql`select format('Order %s is to give back %s cents, %s are asked for', number, -balance, asked) as fault
          from orders o, lateral (select balance_of(o.id) as balance) b,
            lateral (select coalesce(sum(refunds.amount_cents), 0) as asked from refunds join payments p on p.id = refunds.payment_id
              where refunds.order_id = o.id and not p.is_surplus and refunds.state = 'asked') r
          where payment_method = 'on_account' and greatest(0, -balance) <> asked`,
    ],
  ],
]
