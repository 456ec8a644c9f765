import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'

/* Import and export of products as NDJSON or CSV, optionally gzipped. */

/** Columns of a product file, in this order, as admins read about them. `sku` is the key. */
export const productFileColumnDocs = [
  { name: 'sku', description: 'The key: a product with this sku is changed, otherwise a new one is made', example: 'COOLER-15' },
  { name: 'name', description: 'Up to 200 characters. A new product needs it', example: 'Noctua NH-D15' },
  { name: 'brand', description: 'The maker', example: 'Noctua' },
  { name: 'mpn', description: "The maker's part number, as text", example: 'NH-D15' },
  { name: 'category', description: 'The key of a category, such as cpu-cooler, or its name in the store', example: 'cpu-cooler' },
  {
    name: 'description',
    description: 'Up to 5,000 characters. Where it is empty the name stands there, and the page describes the product by its attributes',
    example: 'Two towers, two fans.',
  },
  {
    name: 'img',
    description: 'An address that begins with https:// or /. Where it is empty a drawing from the attributes is shown',
    example: '',
  },
  { name: 'price', description: 'The price of one piece, with at most two decimals. A new product needs it', example: '12.35' },
  {
    name: 'price_breaks',
    description: 'Lower prices of one piece from a quantity on, up to ten. In NDJSON a list of {"min_quantity": 25, "price": 11.3}',
    example: '25: 11.30; 100: 10.83',
  },
  { name: 'minimum_order_quantity', description: 'Pieces. A new product needs it', example: '5' },
  {
    name: 'order_multiple',
    description: 'Pieces in a pack, where only whole packs are sold. The minimum is a multiple of it',
    example: '5',
  },
  { name: 'available_quantity', description: 'Pieces that can be sold. A new product needs it', example: '120' },
  {
    name: 'available_quantity_seen',
    description:
      'The stock when the file was made, as an export writes it: leave it as it is. The difference to available_quantity is added to the stock of now, so what was sold meanwhile stays sold. Export anew for the next change',
    example: '120',
  },
  {
    name: 'incoming',
    description: 'Pieces that are on their way, and the day on which they arrive. In NDJSON {"quantity": 200, "date": "2026-12-12"}',
    example: '200 on 2026-12-12',
  },
  { name: 'weight_g', description: 'Grams of one piece with its packing', example: '620' },
  { name: 'gtin', description: 'The number under the bar code: 8, 12, 13 or 14 digits', example: '4006381333931' },
  { name: 'hs_code', description: 'For customs: 6 to 10 digits', example: '847330' },
  { name: 'origin_country', description: 'Where it was made: two letters', example: 'TW' },
  { name: 'tax_class', description: 'standard, reduced or zero. Where it is empty, standard', example: 'standard' },
  { name: 'specs', description: 'What else is known, as a JSON object', example: '{"height_mm": 165}' },
] as const
export type ProductFileColumn = (typeof productFileColumnDocs)[number]['name']
export const productFileColumns: readonly ProductFileColumn[] = productFileColumnDocs.map(({ name }) => name)

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
  mends: z.array(GroupedIssue).optional().describe('values that are written as the catalogue writes them'),
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
