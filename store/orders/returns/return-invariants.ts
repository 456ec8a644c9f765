import { type SQL, sql } from 'drizzle-orm'

/** What of a return's line was decided, by line: `decided` in all, `came` of what has arrived, and of that by outcome. */
const decisionsOf = sql`lateral (select coalesce(sum(d.quantity), 0) as decided, coalesce(sum(d.quantity) filter (where has_arrived), 0) as came,
    coalesce(sum(d.quantity) filter (where not has_arrived), 0) as kept,
    coalesce(sum(d.quantity) filter (where has_arrived and outcome <> 'refund'), 0) as to_buyer
  from return_decisions d where d.return_id = f.return_id and d.order_line_id = f.order_line_id) d`

/** See `databaseInvariants`. */
export const returnInvariants: [sentence: string, faults: SQL[]][] = [
  [
    'What came back of a line is what its returns say, of pieces that were sent; what went to the buyer again, into stock and out of it was decided',
    [
      sql`select format('Line %s of order %s: %s pieces returned, its returns make %s; %s sent again, %s; %s replaced, %s; %s back in stock, %s', position,
            o.number, l.returned, arrived, l.resent, again, replaced, anew, returned_restocked, stocked) as fault
          from order_lines l join orders o on o.id = l.order_id,
            lateral (select coalesce(sum(f.arrived), 0) as arrived, coalesce(sum(f.resent), 0) as again from return_lines f where f.order_line_id = l.id) f,
            lateral (select coalesce(sum(quantity) filter (where outcome = 'replacement'), 0) as anew,
              coalesce(sum(quantity) filter (where is_restocked), 0) as stocked from return_decisions where order_line_id = l.id) d
          where l.returned <> arrived or l.resent <> again or replaced <> anew or returned_restocked <> stocked`,
      sql`select format('Of line %s of order %s %s pieces are sent and %s sent again, %s have come back and %s more are asked back', position, o.number, sent,
            l.resent, l.returned, awaited) as fault
          from order_lines l join orders o on o.id = l.order_id, lateral (select coalesce(sum(quantity - arrived - turned_down), 0) as awaited
            from return_lines f join returns r on r.id = f.return_id where f.order_line_id = l.id and r.status = 'open') f
          where sent + l.resent < l.returned + awaited`,
      sql`select format('Return R%s has no lines, or one of another order', r.number) as fault
          from returns r, lateral (select coalesce(bool_and(l.order_id = r.order_id), false) as ok
            from return_lines f join order_lines l on l.id = f.order_line_id where f.return_id = r.id) lines
          where not ok`,
      sql`select format('The shipments of return R%s make %s pieces of line %s, %s are sent again', r.number, shipped, position, f.resent) as fault
          from return_lines f join returns r on r.id = f.return_id join order_lines l on l.id = f.order_line_id,
            lateral (select coalesce(sum(quantity), 0) as shipped from shipment_lines p join shipments s on s.id = p.shipment_id
              where s.return_id = r.id and p.order_line_id = l.id) p
          where shipped <> f.resent`,
    ],
  ],
  [
    'Each piece of a return is decided once, after it came or instead; a closed return is decided, and none of a withdrawal is refused',
    [
      sql`select format('Return R%s is %s: of %s pieces of line %s %s have arrived and %s were refused before, %s and %s are decided, and %s of %s are sent again',
            r.number, r.status, f.quantity, position, f.arrived, f.turned_down, came, kept, f.resent, d.to_buyer) as fault
          from return_lines f join returns r on r.id = f.return_id join order_lines l on l.id = f.order_line_id, ${decisionsOf}
          where came > f.arrived or kept <> f.turned_down or f.to_buyer <> d.to_buyer or f.resent > f.to_buyer or (r.status = 'taken back' and (f.arrived > 0 or decided > 0))
            or (r.status = 'closed' and decided <> f.quantity)`,
      sql`select format('Return R%s is decided and not closed', r.number) as fault from returns r
          where status = 'open' and not exists (select from return_lines f, ${decisionsOf} where f.return_id = r.id and decided < f.quantity)`,
      sql`select format('Return R%s comes of a withdrawal, and is %s', r.number, coalesce(outcome, status)) as fault
          from returns r left join return_decisions d on d.return_id = r.id and outcome <> 'refund'
          where cause = 'withdrawal' and (d.id is not null or status = 'taken back')`,
      sql`select format('Of return R%s %s of %s pieces of line %s have to be refunded, and %s are decided otherwise or it is taken back', r.number, must_refund,
            f.quantity, position, turned_down + to_buyer) as fault
          from return_lines f join returns r on r.id = f.return_id join order_lines l on l.id = f.order_line_id
          where must_refund + turned_down + to_buyer > f.quantity or (must_refund > 0 and (r.status = 'taken back' or r.money_due_on is null))`,
    ],
  ],
  [
    'The money of a return is what its refunds have lines for, piece by piece, and no other refund is for returned pieces',
    [
      sql`select format('A refund of order %s is for %s returned pieces of line %s, %s of them into stock, its return decides %s', o.number, f.returned, position,
            f.restock, decided) as fault
          from refund_lines f join refunds m on m.id = f.refund_id join orders o on o.id = m.order_id join order_lines l on l.id = f.order_line_id,
            lateral (select coalesce(sum(quantity), 0) as decided from return_decisions d where d.refund_id = m.id and d.order_line_id = l.id) d
          where f.returned > decided or (f.returned > 0 and (f.pieces <> f.returned or f.restock > 0)) or (decided > 0 and f.returned = 0)`,
      sql`select format('Return R%s gives money back for line %s of order %s, and its refund has no such line', r.number, position, o.number) as fault
          from return_decisions d join returns r on r.id = d.return_id join orders o on o.id = r.order_id join order_lines l on l.id = d.order_line_id
          where d.refund_id is not null and not exists (select from refund_lines f join refunds m on m.id = f.refund_id
            where m.id = d.refund_id and f.order_line_id = d.order_line_id and m.order_id = r.order_id)`,
    ],
  ],
]
