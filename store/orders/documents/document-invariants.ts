import { type SQL, sql } from 'drizzle-orm'

/** What must always hold of documents: see `databaseInvariants`. */
export const documentInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'The numbers of documents have no gaps, and each document adds up',
    [
      sql`select format('Of the %ss of %s there are %s, the last number is %s', s.kind, s.year, count(d.id), s.last_serial) as fault
          from document_series s left join documents d on d.kind = s.kind and d.year = s.year
          group by s.kind, s.year, s.last_serial having count(d.id) <> s.last_serial or max(d.serial) is distinct from s.last_serial`,
      sql`select format('The document %s is %s and %s of tax, its rows make %s and %s, its rates %s and %s', number, net_cents, tax_cents,
            of_rows.net, of_rows.tax, of_rates.net, of_rates.tax) as fault
          from documents,
            lateral (select sum((line ->> 'netCents')::integer) as net, sum((line ->> 'taxCents')::integer) as tax
              from jsonb_array_elements(data -> 'lines') line) of_rows,
            lateral (select sum((rate ->> 'netCents')::integer) as net, sum((rate ->> 'taxCents')::integer) as tax
              from jsonb_array_elements(data -> 'taxes') rate) of_rates
          where (of_rows.net, of_rows.tax) is distinct from (net_cents::bigint, tax_cents::bigint)
            or (of_rates.net, of_rates.tax) is distinct from (net_cents::bigint, tax_cents::bigint)
            or data ->> 'number' <> number`,
      sql`select format('Of the correction of %s the credit notes are %s cents and the invoices %s', number, credited, billed) as fault
          from documents d, lateral (select coalesce(sum(c.total_cents) filter (where kind = 'credit note'), 0) as credited,
              coalesce(sum(c.total_cents) filter (where kind = 'invoice'), 0) as billed
            from documents c where c.corrects = d.id and c.refund_id is null) c
          where credited <> billed`,
      sql`select format('The document %s has no files, and none are to be made', number) as fault
          from documents d where not exists (select from document_files where document_id = d.id)`,
    ],
  ],
  [
    'The invoices of an order less its credit notes are what was paid and has not gone back',
    [
      sql`select format('Order %s has documents for %s cents, and the shop has kept %s', number, billed, kept) as fault
          from orders o,
            lateral (select sum(case kind when 'invoice' then d.total_cents else -d.total_cents end) as billed from documents d where order_id = o.id) d,
            lateral (select p.amount_cents - coalesce((select sum(amount_cents) from refunds r where r.payment_id = p.id and r.state = 'succeeded'), 0) as kept
              from payments p where p.id = o.payment_id and p.state = 'succeeded') p
          where o.payment_method <> 'on_account' and not exists (select from due_documents where order_id = o.id)
            -- What was written off is credited with the last money that goes back, and stays so where another refund fails after all.
            and billed <> kept + case when kept > 0 then written_off_cents else 0 end and (billed <> kept or not exists (
              select from documents where order_id = o.id and kind = 'invoice' and refund_id is not null))`,
      sql`select format('Order %s is %s and has no invoice, and none is due', number, order_status) as fault from orders o
          where order_status in ('placed', 'completed') and payment_method <> 'on_account'
            and exists (select from order_history where order_id = o.id and event = 'paid' and at > (select min(issued_at) from documents))
            and not exists (select from documents where order_id = o.id and kind = 'invoice')
            and not exists (select from due_documents where order_id = o.id)`,
    ],
  ],
]
