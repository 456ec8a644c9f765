import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { mostCompared } from '#store/constants.ts'
import { inFigures } from '#store/in-figures.ts'
import { pictureAddress } from '#store/picture-address.ts'
import { excessOf, questionLimits } from '#store/question-limits.ts'
import { requiredText } from '#store/required-text.ts'
import { wholeNumber } from '#store/whole-number.ts'

/** What the store sells, as the specification spells it. `price` is in whole dollars; `img` is never empty on the wire. */
export const Tool = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    img: z.string(),
    description: z.string(),
    price: z.int(),
    minimum_order_quantity: z.int(),
    available_quantity: z.int(),
  })
  .meta({ id: 'Tool' })
export type Tool = z.infer<typeof Tool>

/** What a part is beside that. Not known is null, or a key that is absent, and never zero. */
const details = {
  sku: z.string(),
  brand: z.string().nullable(),
  mpn: z.string().nullable(),
  category: z.string().nullable(),
  specs: z.record(z.string(), z.unknown()),
}

/** A product with all that is known of it. `specs` are as they were imported: `content/categories.json` says what their keys mean. */
export const Part = Tool.extend(details).meta({ id: 'Part' })
export type Part = z.infer<typeof Part>

/** The highest price and stock that the books can hold; an order may cost at most as much. */
export const maximum = { price: 999_999, quantity: 10_000_000 }

const price = wholeNumber('product price is required', (number) =>
  number.min(1, 'A product costs at least $1').max(maximum.price, `A product costs at most $${inFigures(maximum.price)}`),
)
const minimumOrderQuantity = wholeNumber('minimum order quantity is needed', (number) =>
  number
    .min(1, 'The minimum order quantity is at least 1')
    .max(maximum.quantity, `The minimum order quantity is at most ${inFigures(maximum.quantity)}`),
)
const availableQuantity = wholeNumber('available quantity is needed', (number) =>
  number
    .min(0, 'The available quantity cannot be below 0')
    .max(maximum.quantity, `The available quantity is at most ${inFigures(maximum.quantity)}`),
)

export const NewTool = z.object({
  name: requiredText('product name is required', 200),
  img: pictureAddress('product img is required'),
  description: requiredText('product description needed', 5000),
  price,
  minimum_order_quantity: minimumOrderQuantity,
  available_quantity: availableQuantity,
})

/**
 * What an admin may change. `available_quantity_seen` is the stock that the admin saw: with it the server adds the difference,
 * so that what was sold meanwhile stays sold; without it the figure is absolute.
 */
export const ToolChanges = NewTool.pick({ price: true, minimum_order_quantity: true, available_quantity: true }).extend({
  available_quantity_seen: availableQuantity.optional(),
})

/** In stock means that the smallest order can be filled, everywhere. */
export const inStock = (tool: Pick<Tool, 'minimum_order_quantity' | 'available_quantity'>): boolean =>
  tool.available_quantity >= tool.minimum_order_quantity

/** A product with less than so many smallest orders left is low on stock: time to get more. */
export const lowBelowOrders = 3

/** How much of a product is left, in the word by which admins look for it. */
export const stockLevel = (tool: Pick<Tool, 'minimum_order_quantity' | 'available_quantity'>): 'out' | 'low' | 'enough' => {
  if (!inStock(tool)) return 'out'
  return tool.available_quantity < lowBelowOrders * tool.minimum_order_quantity ? 'low' : 'enough'
}

/* Searching and browsing. An address of the store asks in the same words as the call: `?q=ddr5&brand=Corsair&spec.capacity_gb.min=32`. */

export const pageLengths = [24, 96] as const
const { valueCharacters: longestQuestion } = questionLimits

/** By what products are sorted: a "-" before it turns the order round. Without it the best match, or the oldest product, comes first. */
const sortable = /^(newest|-?(price|name|minimum|available|spec\.[a-z0-9_]{1,60}))$/i

const several = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const figure = z.coerce.number().min(-1e12).max(1e12)
const orNothing = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal('').transform(() => undefined), schema]).optional() // a form sends its empty fields too

export const Question = z
  .object({
    q: z
      .string()
      .max(longestQuestion, `Search with at most ${longestQuestion} characters`)
      .optional()
      .describe('Words in any order, beginnings of words, part numbers in any spelling'),
    category: z.string().optional(),
    brand: several.optional(),
    in_stock: orNothing(z.literal('yes')),
    stock: orNothing(z.enum(['out', 'low'])).describe(
      `out: less than the smallest order is left; low: less than ${lowBelowOrders} smallest orders are`,
    ),
    pieces: orNothing(figure.int().min(1)).describe('Only what can be ordered in this quantity'),
    'price.min': orNothing(figure),
    'price.max': orNothing(figure),
    sort: orNothing(z.string().regex(sortable, 'Products cannot be sorted by that')),
    limit: z.coerce.number().int().min(1).max(100).default(24),
    cursor: orNothing(z.coerce.number().int().min(0).max(10_000_000)).describe('`next` of the page before'),
    facets: orNothing(z.enum(['yes', 'no'])).describe('no: leave out the facets'),
  })
  .catchall(several)
  .superRefine((question, context) => {
    const said = Object.entries(question).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, `${value}`]),
    )
    const excess = excessOf(said)
    if (excess) context.addIssue({ code: 'custom', path: [excess.name], message: excess.words })
  })
  .describe(
    `Also spec.KEY=VALUE for a choice, and spec.KEY.min and spec.KEY.max for a number. At most ${questionLimits.names} names, ${questionLimits.valuesOfName} values of each and ${questionLimits.characters} characters`,
  )
export type Question = z.output<typeof Question>

const Choice = z.object({ value: z.string(), label: z.string(), count: z.int() })
export const Facet = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('choice'), key: z.string(), label: z.string(), choices: z.array(Choice), others: z.int() })
    .describe('`others`: how many choices are left out, those with the fewest products'),
  z
    .object({
      kind: z.literal('number'),
      key: z.string(),
      label: z.string(),
      unit: z.string().optional(),
      better: z.enum(['more', 'less']).optional(),
      least: z.number(),
      most: z.number(),
      steps: z.array(z.object({ value: z.number(), count: z.int() })),
    })
    .describe('`steps`: so many products have at least this, or where less is better at most this'),
])
export type Facet = z.infer<typeof Facet>

/** What was found, one page of it. Each facet counts what choosing would show: with all other filters, without its own. */
export const Found = z
  .object({ total: z.int(), tools: z.array(Part), facets: z.array(Facet), next: z.string().nullable() })
  .meta({ id: 'Found' })
export type Found = z.infer<typeof Found>

/** What the search box offers while somebody types. */
export const Suggestions = z.object({
  tools: z.array(Part.pick({ _id: true, name: true, img: true, price: true, brand: true, mpn: true })),
  categories: z.array(Choice),
})
export type Suggestions = z.infer<typeof Suggestions>

/** A kind of product that the shop has. */
export const ShownCategory = z
  .object({
    key: z.string().describe('What an address or a call filters by'),
    label: z.string(),
    drawing: z.string().describe('The address of its picture'),
    count: z.int().describe('How many products it has'),
  })
  .meta({ id: 'Category' })
export type ShownCategory = z.infer<typeof ShownCategory>

/** An attribute of a part as it is shown. */
export const Detail = z.object({ key: z.string(), label: z.string(), text: z.string() })
export type Detail = z.infer<typeof Detail>

export const ShownPart = z.object({
  part: Part,
  category: z.object({ value: z.string(), label: z.string() }).nullable(),
  details: z.array(Detail),
  related: z.array(Part),
})
export type ShownPart = z.infer<typeof ShownPart>

export { mostCompared }
/** Parts side by side. In a row, `texts` are in the order of the parts, null where it is not known, and `best` names the places of the best. */
export const Comparison = z.object({
  parts: z.array(Part),
  rows: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      texts: z.array(z.string().nullable()),
      differs: z.boolean(),
      best: z.array(z.int()),
    }),
  ),
})
export type Comparison = z.infer<typeof Comparison>

const tags = ['Catalogue']
export const ToolId = z.object({ id: z.uuid('There is no such product') })

export const listTools = {
  method: 'GET',
  url: '/tools',
  schema: { tags, summary: 'All products, oldest first', response: { 200: z.array(Tool), default: Refused } },
} as const satisfies Call

export const showTool = {
  method: 'GET',
  url: '/tools/:id',
  schema: { tags, summary: 'One product', params: ToolId, response: { 200: Tool, default: Refused } },
} as const satisfies Call

export const searchTools = {
  method: 'GET',
  url: '/search',
  schema: {
    tags,
    summary: 'Products by words, filters and order, with the number of products behind each further filter',
    querystring: Question,
    response: { 200: Found, default: Refused },
  },
} as const satisfies Call

export const listCategories = {
  method: 'GET',
  url: '/categories',
  schema: {
    tags,
    summary: 'The categories that have products, those with the most first; none until the search is ready',
    response: { 200: z.array(ShownCategory), default: Refused },
  },
} as const satisfies Call

export const suggestTools = {
  method: 'GET',
  url: '/suggestions',
  schema: {
    tags,
    summary: 'A few products and categories for what is being typed',
    querystring: z.object({ q: z.string().max(longestQuestion) }),
    response: { 200: Suggestions, default: Refused },
  },
} as const satisfies Call

export const showPart = {
  method: 'GET',
  url: '/products/:id',
  schema: {
    tags,
    summary: 'One product with all that is known of it, and others of its category',
    params: ToolId,
    response: { 200: ShownPart, default: Refused },
  },
} as const satisfies Call

export const compareParts = {
  method: 'GET',
  url: '/compare',
  schema: {
    tags,
    summary: `Up to ${mostCompared} products of a category side by side`,
    querystring: z.object({
      id: several.pipe(z.array(z.uuid('There is no such product')).min(1).max(mostCompared, `Compare up to ${mostCompared} products`)),
    }),
    response: { 200: Comparison, default: Refused },
  },
} as const satisfies Call

export const addTool = {
  method: 'POST',
  url: '/tools',
  schema: { tags, summary: 'Add a product', security: withToken, body: NewTool, response: { 201: Tool, default: Refused } },
} as const satisfies Call

export const updateTool = {
  method: 'PUT',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Change price, minimum and stock',
    security: withToken,
    params: ToolId,
    body: ToolChanges,
    response: { 200: Tool, default: Refused },
  },
} as const satisfies Call

export const removeTool = {
  method: 'DELETE',
  url: '/tools/:id',
  schema: {
    tags,
    summary: 'Take a product out of the catalogue; its orders keep it',
    security: withToken,
    params: ToolId,
    response: { 200: Tool, default: Refused },
  },
} as const satisfies Call

/* Import and export: files of parts as NDJSON or CSV, gzipped or not. */

/** What a file of parts says of each, in this order. `sku` is the key. */
export const partColumns = [
  'sku',
  'name',
  'brand',
  'mpn',
  'category',
  'description',
  'img',
  'price',
  'minimum_order_quantity',
  'available_quantity',
  'available_quantity_seen',
  'specs',
] as const
export type PartColumn = (typeof partColumns)[number]

/**
 * What a file may be at most; what a report shows at most. `columns` counts all columns of a table, `attributes` those of one product; `cellKilobytes`
 * is 1,024 characters each, of a cell as it reads and of `specs` as JSON.
 */
export const importLimits = {
  ...{ sentMegabytes: 64, unpackedMegabytes: 256, rows: 500_000, rowKilobytes: 256, columns: 200, attributes: 120, cellKilobytes: 64 },
  ...{ shownWrong: 1000, shownChanges: 50 },
  /** files that are kept at a time, because they arrive, are checked, wait for an admin or are imported */
  ...{ keptFiles: 10, keptMegabytes: 200 },
}

const WrongField = z.object({ row: z.int(), column: z.string(), found: z.string(), expected: z.string() })
export type WrongField = z.infer<typeof WrongField>
const Grouped = z.object({ column: z.string(), words: z.string(), count: z.int(), example: z.object({ row: z.int(), found: z.string() }) })

/**
 * What becomes of the stock of products that are there where a file names it without `available_quantity_seen`: `set` replaces it, whatever was
 * sold since the file was made, `keep` leaves it.
 */
export const StockChoice = z.enum(['set', 'keep'])
export type StockChoice = z.infer<typeof StockChoice>

/**
 * What an import would do, or has done. `wrong` counts rows; `reasons` and `warnings` are grouped by their words. A check counts `update` and
 * `changes` as with the stock choice `set`; of these, `setsStockOnly` would stay unchanged with `keep`.
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
  reasons: z.array(Grouped),
  warnings: z.array(Grouped),
  wrongRows: z.array(WrongField),
  changes: z.array(z.object({ sku: z.string(), field: z.string(), before: z.string(), after: z.string() })),
})
export type ImportReport = z.infer<typeof ImportReport>

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
    stockMovedAt: z.iso
      .datetime()
      .nullable()
      .describe('of a checked file that moves stock: when the same file was imported before; running it needs `again`'),
    at: z.iso.datetime(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

const ImportId = z.object({ id: z.uuid('There is no such import') })

export const sendImport = {
  method: 'POST',
  url: '/imports',
  schema: {
    tags,
    summary: 'Send a file of parts to be checked',
    description:
      'The body is the file, as application/octet-stream. Nothing is imported before it has been checked and run. Where more files are kept than may be, the oldest that is checked is dropped; while none is, 429.',
    security: withToken,
    querystring: z.object({ name: z.string().trim().max(200).default('').describe("the file's") }),
    response: { 201: Import, default: Refused },
  },
} as const satisfies Call

export const listImports = {
  method: 'GET',
  url: '/imports',
  schema: {
    tags,
    summary: 'The last ten imports, newest first',
    security: withToken,
    response: { 200: z.array(Import.omit({ report: true })), default: Refused },
  },
} as const satisfies Call

export const showImport = {
  method: 'GET',
  url: '/imports/:id',
  schema: {
    tags,
    summary: 'How an import stands',
    security: withToken,
    params: ImportId,
    response: { 200: Import, default: Refused },
  },
} as const satisfies Call

export const runImport = {
  method: 'POST',
  url: '/imports/:id/run',
  schema: {
    tags,
    summary: 'Import a checked file, all of it or nothing',
    security: withToken,
    params: ImportId,
    body: z.object({
      skipWrong: z.boolean().default(false).describe('leave out the wrong rows'),
      again: z.boolean().default(false).describe('move stock a second time, by a file that was imported before (`stockMovedAt`)'),
      stock: StockChoice.optional().describe('needed when the check has found `setsStock`: what becomes of the stock of those products'),
    }),
    response: { 200: Import, default: Refused },
  },
} as const satisfies Call

export const Export = z.object({ format: z.enum(['ndjson', 'csv']).default('ndjson') })
