import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'

/* Import and export of products as NDJSON or CSV, optionally gzipped. */

/** Columns of a product file, in this order. `sku` is the key. */
export const productFileColumns = [
  'sku',
  'name',
  'brand',
  'mpn',
  'category',
  'description',
  'img',
  'price',
  'price_breaks',
  'minimum_order_quantity',
  'order_multiple',
  'available_quantity',
  'available_quantity_seen',
  'incoming',
  'weight_g',
  'gtin',
  'hs_code',
  'origin_country',
  'specs',
] as const
export type ProductFileColumn = (typeof productFileColumns)[number]

/**
 * Limits of an import file and its report. `columns` counts all columns of a table, `attributes` those of one product. `cellKilobytes` is
 * in units of 1,024 characters, for a cell after unquoting and for `specs` as JSON.
 */
export const importLimits = {
  ...{ uploadMegabytes: 64, unpackedMegabytes: 256, rows: 500_000, rowKilobytes: 256, columns: 200, attributes: 120, cellKilobytes: 64 },
  ...{ reportedInvalidFields: 1000, reportedChanges: 50 },
  /** pending files: those being uploaded, checked or imported, and those waiting for an admin */
  ...{ pendingFiles: 10, pendingMegabytes: 200 },
}

const sku = z.string().optional().describe('of the row, where it could be read')
const InvalidField = z.object({ row: z.int(), sku, column: z.string(), found: z.string(), expected: z.string() })
export type InvalidField = z.infer<typeof InvalidField>
const GroupedIssue = z.object({
  column: z.string(),
  words: z.string(),
  count: z.int(),
  example: z.object({ row: z.int(), sku, found: z.string() }),
})

/**
 * What to do with a stock value for an existing product without `available_quantity_seen`: `set` replaces the stock, including units sold
 * since the file was made; `keep` leaves it unchanged.
 */
export const StockUpdateMode = z.enum(['set', 'keep'])
export type StockUpdateMode = z.infer<typeof StockUpdateMode>

/**
 * What an import would do or has done. `wrong` counts rows; `reasons` and `warnings` are grouped by message. A check computes `update` and
 * `changes` as for stock mode `set`; with `keep`, `setsStockOnly` of these products would stay unchanged.
 */
export const ImportReport = z.object({
  rows: z.int(),
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  wrong: z.int(),
  setsStock: z.int().describe('products whose stock is replaced, as the file does not say which stock it saw'),
  setsStockOnly: z.int().describe('those of them of which nothing else changes'),
  movesStock: z.int().describe('products whose stock moves by the difference to the stock that the file saw'),
  shortPieces: z.int().describe('pieces that could not be taken off a stock, as so many were sold meanwhile'),
  ignored: z.array(z.string()).describe('columns that mean nothing here'),
  reasons: z.array(GroupedIssue),
  warnings: z.array(GroupedIssue),
  wrongRows: z.array(InvalidField),
  changes: z
    .array(
      z.object({
        sku: z.string(),
        field: z.string(),
        before: z.string(),
        after: z.string(),
        stock: z
          .enum(['set', 'moved'])
          .optional()
          .describe('of a change of stock: it is replaced (`setsStock`), or moves by the difference (`movesStock`)'),
      }),
    )
    .describe(`the first ${importLimits.reportedChanges} of the stock, and as many of everything else`),
})
export type ImportReport = z.infer<typeof ImportReport>

/** The rows that a check stages to be written. */
export const countValidRows = ({ rows, wrong }: Pick<ImportReport, 'rows' | 'wrong'>): number => rows - wrong

/**
 * The changes that are made when the import is run with this choice.
 * @param stock undefined while nothing is chosen: then what the file says
 * @param movesStock false for a file whose changes of stock are in already
 */
export function changesByStockChoice(
  changes: ImportReport['changes'],
  { stock, movesStock }: { stock: StockUpdateMode | undefined; movesStock: boolean },
): ImportReport['changes'] {
  return changes
    .filter((change) => (change.stock === 'set' ? stock !== 'keep' : change.stock === 'moved' ? movesStock : true))
    .slice(0, importLimits.reportedChanges)
}

export const Import = z
  .object({
    _id: z.uuid(),
    fileName: z.string(),
    state: z.enum(['uploading', 'checking', 'checked', 'importing', 'done', 'failed']),
    bytes: z.int(),
    bytesRead: z.int(),
    rowsRead: z.int(),
    report: ImportReport.nullable(),
    trouble: z.string().nullable(),
    stock: StockUpdateMode.nullable().describe('what was chosen for the stock when it was run; null where nothing was, or had to be'),
    stockMovedAt: z.iso
      .datetime()
      .nullable()
      .describe('of a checked file that moves stock: when the same file was imported before; running it needs `again`'),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

const tags = ['Catalogue']
const ImportId = z.object({ id: z.uuid('There is no such import') })

export const uploadImport = {
  method: 'POST',
  url: '/imports',
  schema: {
    tags,
    summary: 'Send a file of parts to be checked',
    description:
      'The body is the file, as application/octet-stream. Nothing is imported before it has been checked and run. Where more files are kept than may be, the oldest that is checked is dropped; while none is, 429.',
    security: bearerAuth,
    querystring: z.object({ name: z.string().trim().max(200).default('').describe("the file's") }),
    response: { 201: Import, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listImports = {
  method: 'GET',
  url: '/imports',
  schema: {
    tags,
    summary: 'The last ten imports, newest first',
    security: bearerAuth,
    response: { 200: z.array(Import.omit({ report: true })), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showImport = {
  method: 'GET',
  url: '/imports/:id',
  schema: {
    tags,
    summary: 'How an import stands',
    security: bearerAuth,
    params: ImportId,
    response: { 200: Import, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const runImport = {
  method: 'POST',
  url: '/imports/:id/run',
  schema: {
    tags,
    summary: 'Import a checked file, all of it or nothing',
    security: bearerAuth,
    params: ImportId,
    body: z.object({
      skipWrong: z.boolean().default(false).describe('leave out the wrong rows'),
      again: z.boolean().default(false).describe('move stock a second time, by a file that was imported before (`stockMovedAt`)'),
      stock: StockUpdateMode.optional().describe(
        'needed when the check has found `setsStock`: what becomes of the stock of those products',
      ),
    }),
    response: { 200: Import, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const ExportQuery = z.object({ format: z.enum(['ndjson', 'csv']).default('ndjson') })
