import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { isoTimestamp } from '#platform/timestamp-column.ts'
import { shipments } from '#store/orders/shipments/table.ts'
import { orders, refunds } from '#store/orders/table.ts'
import { documentKinds, type Seller } from './contract.ts'
import type { DocumentData } from './document-data.ts'

const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({ dataType: () => 'bytea' })

/** How long what is due and could not be done waits for its next try. */
export const retryDelays = { initialDelaySeconds: 5, maxDelaySeconds: 3600 }

/** The tries to do what is due, and when the next one is. */
const tryColumns = () => ({
  tries: integer().notNull().default(0),
  nextTryAt: timestamp('next_try_at', { withTimezone: true }).notNull().defaultNow(),
})

/** Who sells, as it stands on documents: one row, or none before the owner has said it. */
export const seller = pgTable(
  'seller',
  {
    singleRow: boolean('single_row').primaryKey().default(true),
    data: jsonb().$type<Seller>().notNull(),
  },
  (table) => [check('seller_single_row', sql`${table.singleRow}`)],
)

/** The last number that was given out, by kind and year. Its row is locked until the document that has the number is committed, so none is left out. */
export const documentSeries = pgTable(
  'document_series',
  {
    kind: text({ enum: documentKinds }).notNull(),
    year: smallint().notNull(),
    lastSerial: integer('last_serial').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year] })],
)

/** Whether EN 16931 cannot say a document as the seller had no VAT id (BR-IC-02). @param data of `documents` */
export const lacksVatId = (data: AnyPgColumn): SQL =>
  sql`${data} -> 'tax' ->> 'kind' = 'reverse charge' and ${data} -> 'seller' ->> 'vatId' is null`

/** Invoices and credit notes. A trigger lets none be changed or deleted. Money is in cents of `currency`, never negative. */
export const documents = pgTable(
  'documents',
  {
    _id: uuid('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    kind: text({ enum: documentKinds }).notNull(),
    year: smallint().notNull(),
    serial: integer().notNull(), // 1, 2, ... of its kind and year
    number: text().notNull().unique(), // of year and serial, as it is written
    refundId: uuid('refund_id').references(() => refunds._id), // of a credit note (on account of several, one for each parcel), and of an invoice that takes back the credit note of a refund that failed
    shipmentId: uuid('shipment_id').references(() => shipments._id), // of the invoice of a parcel, and of those that replace it
    corrects: uuid().references((): AnyPgColumn => documents._id), // the document that it gives back, corrects or replaces; null: of the first invoice
    issuedAt: isoTimestamp('issued_at').notNull().default(sql`now()`),
    issuedOn: date('issued_on').notNull(), // the day in the shop's time zone
    currency: text().notNull(),
    netCents: integer('net_cents').notNull(),
    taxCents: integer('tax_cents').notNull(),
    totalCents: integer('total_cents').notNull(),
    data: jsonb().$type<DocumentData>().notNull(),
  },
  (table) => [
    unique('documents_serial').on(table.kind, table.year, table.serial),
    unique('documents_of_refund').on(table.refundId, table.kind, table.corrects),
    uniqueIndex('documents_of_shipment').on(table.shipmentId).where(sql`${table.corrects} is null`),
    index('documents_by_shipment').on(table.shipmentId).where(sql`${table.shipmentId} is not null`),
    index('documents_of_order').on(table.orderId),
    index('documents_by_day').on(table.issuedOn, table.number),
    // An invoice is corrected once: by one credit note and one invoice.
    uniqueIndex('documents_of_correction').on(table.corrects, table.kind).where(sql`${table.refundId} is null`),
    index('documents_without_vat_id').on(table.orderId).where(lacksVatId(table.data)),
    check(
      'documents_total',
      sql`${table.totalCents} = ${table.netCents} + ${table.taxCents} and ${table.netCents} >= 0 and ${table.taxCents} >= 0`,
    ),
    check('documents_credit_notes', sql`${table.kind} = 'invoice' or ${table.corrects} is not null`),
  ],
)

/** The files of a document. */
export const documentFiles = pgTable(
  'document_files',
  {
    documentId: uuid('document_id')
      .primaryKey()
      .references(() => documents._id),
    pdf: bytea(), // PDF/A-3 with `xml` in it; null: not rendered yet
    xml: text(), // EN 16931 as CII; null also where the standard cannot say it, see `hasXml`
    mailed: boolean().notNull().default(false), // with a mail to the buyer, or from before mails had documents
    ...tryColumns(),
  },
  (table) => [index('document_files_due').on(table.nextTryAt).where(sql`${table.pdf} is null`)],
)

/** What has happened that asks for a document. Triggers on orders and refunds write it, in the transaction of the event. */
export const dueDocuments = pgTable(
  'due_documents',
  {
    _id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid('order_id')
      .notNull()
      .references(() => orders._id),
    event: text({ enum: ['paid', 'refunded', 'refund failed', 'sent'] }).notNull(),
    refundId: uuid('refund_id').references(() => refunds._id),
    shipmentId: uuid('shipment_id').references(() => shipments._id), // of `sent`, which is due for parcels of orders on account alone
    ...tryColumns(),
  },
  (table) => [index('due_documents_by_time').on(table.nextTryAt, table._id), index('due_documents_of_order').on(table.orderId, table._id)],
)
