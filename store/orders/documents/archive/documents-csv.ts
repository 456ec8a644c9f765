import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { type Cents, centsToAmount } from '#shared/money.ts'
import { formatCsvRow } from '#store/imports/csv.ts'
import type { DocumentData } from '#store/orders/documents/document-data.ts'
import { documents } from '#store/orders/documents/table.ts'
import { orders, payments } from '#store/orders/table.ts'
import { formatPlainRate } from '#store/tax/rate-text.ts'

/** A document of an archive, and which of its files are in it. */
export type ArchivedDocument = { _id: string; number: string; issuedAt: string; hasPdf: boolean; hasXml: boolean }

const batchRows = 100

/** The rates of tax of these documents, in parts per million, the highest first. @param which a condition on `documents` */
export async function findRates(db: Database, which: SQL | undefined): Promise<number[]> {
  const rates = db
    .select({ ratePpm: sql<number>`(jsonb_array_elements(${documents.data} -> 'taxes') ->> 'ratePpm')::integer`.as('rate_ppm') })
    .from(documents)
    .where(which)
    .as('rates')
  const found = await db.selectDistinct({ ratePpm: rates.ratePpm }).from(rates)
  return found.map(({ ratePpm }) => ratePpm).sort((a, b) => b - a)
}

/**
 * A row for each document, in pieces of the file. Amounts are as on the document: those of a credit note are what it gives back. Holds one batch in
 * memory, and no database connection while the client reads slowly.
 * @param ratesPpm each has a column of its net sum and one of its tax
 */
export async function* documentsCsv(db: Database, archived: ArchivedDocument[], ratesPpm: number[]): AsyncGenerator<string> {
  yield formatCsvRow([
    ...['number', 'kind', 'date', 'order', 'customer', 'country', 'VAT id', 'net'],
    ...ratesPpm.flatMap((ratePpm) => [`net at ${formatPlainRate(ratePpm)} %`, `tax at ${formatPlainRate(ratePpm)} %`]),
    ...['tax', 'total', 'currency', 'payment method', 'refers to', 'files'],
  ])
  for (let from = 0; from < archived.length; from += batchRows) {
    const batch = archived.slice(from, from + batchRows)
    const rows = new Map((await readRows(db, batch)).map((row) => [row._id, row]))
    yield batch.map((document) => formatRow(document, rows.get(document._id), ratesPpm)).join('')
  }
}

type CsvRow = { _id: string; data: DocumentData; method: string | null }

const readRows = (db: Database, batch: ArchivedDocument[]): Promise<CsvRow[]> =>
  db
    .select({
      _id: documents._id,
      data: documents.data,
      method: sql<string | null>`coalesce(${payments.method}::text, ${orders.paymentMethod}::text)`,
    })
    .from(documents)
    .innerJoin(orders, eq(orders._id, documents.orderId))
    .leftJoin(payments, eq(payments._id, orders.paymentId))
    .where(
      inArray(
        documents._id,
        batch.map(({ _id }) => _id),
      ),
    )

function formatRow({ number, hasPdf, hasXml }: ArchivedDocument, row: CsvRow | undefined, ratesPpm: number[]): string {
  if (!row) throw new Error(`The document ${number} was not found`)
  const { kind, issuedOn, order, buyer, netCents, taxCents, totalCents, taxes, currency, corrects } = row.data
  const atRate = (ratePpm: number) => taxes.find((rate) => rate.ratePpm === ratePpm) ?? { netCents: 0, taxCents: 0 }
  return formatCsvRow([
    ...[number, kind, issuedOn, `${order.number}`, buyer.company ?? buyer.name, buyer.address?.country ?? '', buyer.vatId ?? ''],
    amount(netCents),
    ...ratesPpm.map(atRate).flatMap((rate) => [amount(rate.netCents), amount(rate.taxCents)]),
    ...[amount(taxCents), amount(totalCents), currency.toUpperCase(), row.method ?? '', corrects?.number ?? ''],
    hasPdf ? `PDF${hasXml ? ', XML' : ''}` : 'still being made',
  ])
}

const amount = (cents: Cents): string => centsToAmount(cents).toFixed(2)
