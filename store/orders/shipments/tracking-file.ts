import { HttpError } from '#platform/http-error.ts'
import { formatNumber } from '#shared/format-number.ts'
import { CsvReader, type Delimiter, delimiters, unescapeFormulaCell } from '#store/imports/csv.ts'
import { ImportFileError } from '#store/imports/import-file-error.ts'
import { trackingFileLimits } from './carrier-files-contract.ts'

/** A row of a carrier's file, as it was typed. */
export type TypedTracking = { row: number; order: string; trackingNumber: string; carrier: string }

/** What carriers' programs and spreadsheets call the columns, in small letters without spaces and punctuation. */
const columnNames = {
  order: ['order', 'ordernumber', 'orderno', 'orderid', 'ordername', 'reference', 'customerreference', 'shipmentreference'],
  trackingNumber: [
    'trackingnumber',
    'tracking',
    'trackingno',
    'trackingid',
    'trackingcode',
    'parcelnumber',
    'awb',
    'waybill',
    'consignmentnumber',
  ],
  carrier: ['carrier', 'carriername', 'shippingcompany', 'courier'],
} as const
type Columns = Record<keyof typeof columnNames, number>

const plainName = (cell: string) => cell.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Reads the rows of a file of tracking numbers: by its header or, without one, the number of the order, the tracking number and the carrier.
 * @throws {HttpError} 400 it is no CSV, has too many rows, or a header that does not name what is needed
 */
export function readTrackingFile(text: string): TypedTracking[] {
  const rows = readRows(text.replace(/^\uFEFF/, ''))
  const header = findColumns(rows[0]?.cells ?? [])
  const columns = header ?? { order: 0, trackingNumber: 1, carrier: 2 }
  const read = (header ? rows.slice(1) : rows).map(({ row, cells }) => {
    const cell = (column: number) => unescapeFormulaCell((cells[column] ?? '').trim())
    return { row, order: cell(columns.order), trackingNumber: cell(columns.trackingNumber), carrier: cell(columns.carrier) }
  })
  if (read.length === 0) throw fileError('There is no row with a tracking number in it')
  if (read.length > trackingFileLimits.rows)
    throw fileError(`At most ${formatNumber(trackingFileLimits.rows)} rows at once: split the file`)
  return read
}

const fileError = (message: string) => new HttpError(400, message, { file: message })

/** The rows that are not empty. */
function readRows(text: string): { row: number; cells: string[] }[] {
  const reader = new CsvReader(findDelimiter(text))
  try {
    const rows = [...reader.rows(text)]
    reader.end()
    return rows.map((cells, nth) => ({ row: nth + 1, cells })).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  } catch (error) {
    throw error instanceof ImportFileError ? fileError(error.messageWithRow) : error
  }
}

/** The one of which the first line has the most. */
function findDelimiter(text: string): Delimiter {
  const first = text.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  const count = (delimiter: string) => first.split(delimiter).length
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** @returns undefined where the first row is no header */
function findColumns(cells: string[]): Columns | undefined {
  const names = cells.map(plainName)
  const find = (column: keyof Columns) => columnNames[column].map((name) => names.indexOf(name)).find((index) => index >= 0) ?? -1
  const columns = { order: find('order'), trackingNumber: find('trackingNumber'), carrier: find('carrier') }
  if (columns.order < 0 && columns.trackingNumber < 0) return undefined
  if (columns.order < 0) throw fileError('The header names no column with the number of the order: call it "order"')
  if (columns.trackingNumber < 0) throw fileError('The header names no column with the tracking number: call it "tracking_number"')
  return columns
}
