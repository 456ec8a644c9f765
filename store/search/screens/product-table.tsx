// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import { type ReactNode, useId } from 'react'
import { AddPiecesForm } from '#store/catalogue/screens/add-pieces-form.tsx'
import { BrandAndPartNumber } from '#store/catalogue/screens/brand-and-part-number.tsx'
import { BuyNow } from '#store/catalogue/screens/buy-now.tsx'
import { CompareCheckbox } from '#store/catalogue/screens/compare-checkbox.tsx'
import { LowestPrice, PackSize } from '#store/catalogue/screens/order-terms-in-table.tsx'
import { OwnPrice } from '#store/catalogue/screens/own-price.tsx'
import { ProductImage } from '#store/catalogue/screens/product-image.tsx'
import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { moveRowFocusByKey } from '#web/table-row-keyboard.ts'
import { OtherVersions } from './other-versions.tsx'
import type { AttributeColumn, ShownProduct } from './search-by-url.ts'
import { productsUrlWithParams } from './search-url.ts'

/** rows in the initial viewport; and of them, where rows are cards */
const aboveFoldCount = 8
const cardsAboveFoldCount = 4

type ProductTableProps = {
  products: ShownProduct[]
  columns: AttributeColumn[]
  /** the query as it was typed, which the links of the headings keep */
  search: URLSearchParams
  /** the order of the rows, chosen or asked for */
  sort: string
  caption: string
}

/** Results as a dense table. Column headers are links that sort, so sorting works without JavaScript and Back reverts it. */
export function ProductTable({ products, columns, search, sort, caption }: ProductTableProps) {
  const id = useId()
  const head = (label: string, sortBy?: string, figures = false) => (
    <SortLinkHeader label={label} sortBy={sortBy} isNumeric={figures} sort={sort} search={search} />
  )
  return (
    <div className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolling box is a region by its name, not a section of the page */}
      <div
        role="region"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveRowFocusByKey}
        className="relative @3xl:overflow-x-auto @3xl:rounded @3xl:border @3xl:border-line @3xl:bg-panel"
      >
        <table role="table" className="w-full border-separate border-spacing-0 text-sm @max-3xl:block">
          <caption id={id} className="sr-only">
            {caption}
          </caption>
          <thead role="rowgroup" className="@max-3xl:sr-only">
            <tr role="row">
              {head('Part', 'name')}
              {columns.map(({ key, label, unit, isNumeric }) => (
                <SortLinkHeader
                  key={key}
                  label={unit ? `${label}, ${unit}` : label}
                  sortBy={isNumeric ? key : undefined}
                  isNumeric={isNumeric}
                  sort={sort}
                  search={search}
                />
              ))}
              {head('Price', 'price', true)}
              {head('Minimum', 'minimum', true)}
              {head('Stock', 'available', true)}
              {head('Order')}
              {head('Buy, compare')}
            </tr>
          </thead>
          <tbody role="rowgroup" className="@max-3xl:grid @max-3xl:gap-3 @xl:@max-3xl:grid-cols-2">
            {products.map((tool, place) => (
              <ProductRow key={tool._id} product={tool} columns={columns} place={place} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type SortLinkHeaderProps = { label: string; sortBy: string | undefined; isNumeric: boolean; sort: string; search: URLSearchParams }

function SortLinkHeader({ label, sortBy, isNumeric, sort, search }: SortLinkHeaderProps) {
  const now = sortBy === undefined ? undefined : sort === sortBy ? 'ascending' : sort === `-${sortBy}` ? 'descending' : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-label={label} // where rows are cards, its link cannot be reached
      aria-sort={now}
      className={`border-b border-line bg-tint px-1 py-1.5 align-bottom leading-4 font-semibold first:sticky first:left-0 first:z-20 first:pl-3 print:last:hidden ${isNumeric ? 'text-right' : 'text-left'}`}
    >
      {sortBy ? (
        <Link
          to={productsUrlWithParams(search, { sort: now === 'ascending' ? `-${sortBy}` : sortBy })}
          preventScrollReset
          className={`flex min-h-6 items-end underline decoration-edge underline-offset-2 hover:text-leaf @max-3xl:hidden ${isNumeric ? 'flex-row-reverse' : ''}`}
        >
          {label}
          {now && <Icon name={now} className="size-4" />}
        </Link>
      ) : (
        label
      )}
    </th>
  )
}

type RowProps = { product: ShownProduct; columns: AttributeColumn[]; place: number }

/** A row of about 60 px; on a phone a card with its values in two columns, laid out when it comes near the viewport. */
function ProductRow({ product, columns, place }: RowProps) {
  const pieces = product.askedPieces?.pieces ?? product.minimum_order_quantity
  return (
    <tr role="row" className={`group product-row ${place < cardsAboveFoldCount ? '' : '@max-3xl:rests-57'}`}>
      <PartCell product={product} isAboveFold={place < aboveFoldCount} />
      {columns.map((column) => (
        <AttributeCell key={column.key} column={column} text={product.texts[column.key]} />
      ))}
      <PriceCell product={product} />
      <ValueCell label="Minimum" isNumeric>
        <GroupedDigits number={product.minimum_order_quantity} />
        <PackSize product={product} />
      </ValueCell>
      <ValueCell label="Stock" isNumeric>
        <GroupedDigits number={product.available_quantity} />
        {!product.inStock && <span className="block font-sans font-semibold text-bad @3xl:text-wrap">Out of stock</span>}
      </ValueCell>
      <td role="cell" className="product-cell">
        {product.inStock && <AddPiecesForm key={pieces} product={product} quantity={pieces} />}
        {product.arrivesOn && (
          <span className="block leading-4 text-soft">
            More on <span className="whitespace-nowrap">{product.arrivesOn}</span>
          </span>
        )}
      </td>
      <td role="cell" className="product-cell @max-3xl:col-span-2 print:hidden">
        <div className="flex items-center justify-between gap-x-3 @3xl:flex-col @3xl:items-start @3xl:justify-center">
          <BuyNow
            product={product}
            isPlain
            className="inline-flex min-h-11 items-center font-semibold whitespace-nowrap text-copper underline underline-offset-2 pointer-fine:min-h-6"
          />
          <CompareCheckbox product={product} isDense />
        </div>
      </td>
    </tr>
  )
}

function PartCell({ product, isAboveFold }: Pick<RowProps, 'product'> & { isAboveFold: boolean }) {
  return (
    <th
      role="rowheader"
      scope="row"
      className="product-cell sticky left-0 z-10 bg-panel text-left font-medium @max-3xl:static @max-3xl:col-span-2 @3xl:pl-3"
    >
      <div className="flex items-center gap-2.5">
        <ProductImage product={product} drawing="size=small" isAboveFold={isAboveFold} className="h-12 w-18 shrink-0 p-0!" />
        <div className="min-w-0 leading-4 @3xl:min-w-34">
          <h2 className="line-clamp-2 font-medium">
            <Link to={`/products/${product._id}`} prefetch="intent" className="hover:text-leaf">
              {product.name}
            </Link>
          </h2>
          <BrandAndPartNumber product={product} className="font-normal" />
          <OtherVersions product={product} />
        </div>
      </div>
    </th>
  )
}

function AttributeCell({ column: { label, unit, isNumeric }, text }: { column: AttributeColumn; text: string | undefined }) {
  return (
    <ValueCell label={label} isNumeric={isNumeric}>
      {text === undefined ? (
        <span className="font-sans text-soft">not known</span>
      ) : unit ? (
        <>
          {text}
          <span className="@3xl:hidden"> {unit}</span>
        </>
      ) : (
        <span className={isNumeric ? undefined : '@3xl:line-clamp-3 @3xl:min-w-12'}>{text}</span>
      )}
    </ValueCell>
  )
}

/** The price of one piece: of so many as the URL asks for, else of the smallest order. */
function PriceCell({ product }: { product: ShownProduct }) {
  const { askedPieces } = product
  return (
    <ValueCell label="Price" isNumeric>
      <span className="font-semibold">
        {askedPieces ? <MoneyAmount amountCents={askedPieces.unitPriceCents} /> : <Amount value={product.price} />}
      </span>
      <OwnPrice product={product} isShort />
      {askedPieces ? (
        <span className="block font-sans text-soft @3xl:text-wrap">
          <GroupedDigits number={askedPieces.pieces} /> = <MoneyAmount amountCents={askedPieces.totalCents} />
        </span>
      ) : (
        <LowestPrice product={product} />
      )}
    </ValueCell>
  )
}

/** A value; on a phone, where there is no column header, below its label. */
function ValueCell({ label, isNumeric = false, children }: { label: string; isNumeric?: boolean; children: ReactNode }) {
  return (
    <td role="cell" data-label={label} className={isNumeric ? 'product-figure' : 'product-value'}>
      {children}
    </td>
  )
}
