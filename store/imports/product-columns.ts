import { getTableColumns } from 'drizzle-orm'
import { products } from '#store/catalogue/table.ts'
import { type ProductFileColumn, productFileColumns } from './contract.ts'

type StoredColumn = Exclude<ProductFileColumn, 'available_quantity_seen'>

const isStored = (column: ProductFileColumn): column is StoredColumn => column !== 'available_quantity_seen'

/** Columns of a product file that are stored, each in a column of `tools`, in the order of the file. */
export const storedColumns: StoredColumn[] = productFileColumns.filter(isStored)

const columnsByName = new Map(Object.values(getTableColumns(products)).map((column) => [column.name, column]))

/** The column of `tools` for a column of a product file: of the same name, apart from the price. */
export function productColumnOf(column: StoredColumn) {
  const found = columnsByName.get(column === 'price' ? 'price_cents' : column)
  if (!found) throw new Error(`Products have no column for ${column}`)
  return found
}
