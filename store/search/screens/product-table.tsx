// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import { useId } from 'react'
import { AddToCartButton } from '#store/catalogue/screens/add-to-cart-button.tsx'
import { BrandAndPartNumber } from '#store/catalogue/screens/brand-and-part-number.tsx'
import { BuyNow } from '#store/catalogue/screens/buy-now.tsx'
import { CompareCheckbox } from '#store/catalogue/screens/compare-checkbox.tsx'
import { LowestPrice, PackSize } from '#store/catalogue/screens/order-terms-in-table.tsx'
import { OwnPrice } from '#store/catalogue/screens/own-price.tsx'
import { Icon } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'
import { Cell, Row, rowsAsCardsClasses } from '#web/table-row.tsx'
import { moveRowFocusByKey } from '#web/table-row-keyboard.ts'
import { shownAttributes } from './facet-options.ts'
import { OtherVersions } from './other-versions.tsx'
import type { PageFacet } from './page-facets.ts'
import type { ShownProduct } from './search-by-url.ts'
import { productsUrlWithParams } from './search-url.ts'

/** Number of attribute columns that fit beside the columns of every product. */
const maxAttributeColumns = 4

type ProductTableProps = { products: ShownProduct[]; facets: PageFacet[]; search: URLSearchParams; caption: string }

/** Results as a dense table. Column headers are links that sort, so sorting works without JavaScript and Back reverts it. */
export function ProductTable({ products, facets, search, caption }: ProductTableProps) {
  const id = useId()
  const { stated, derived } = shownAttributes(facets)
  const attributes = [...stated.slice(0, maxAttributeColumns - derived.length), ...derived]
  const sort = search.get('sort') ?? ''
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
              {attributes.map((facet) => {
                const label = facet.kind === 'number' && facet.unit ? `${facet.label}, ${facet.unit}` : facet.label
                return (
                  <SortLinkHeader
                    key={facet.key}
                    label={label}
                    sortBy={facet.kind === 'number' ? facet.key : undefined}
                    isNumeric={facet.kind === 'number'}
                    sort={sort}
                    search={search}
                  />
                )
              })}
              {head('Price', 'price', true)}
              {head('Minimum', 'minimum', true)}
              {head('Stock', 'available', true)}
              {head('Buy')}
              {head('Compare')}
            </tr>
          </thead>
          <tbody role="rowgroup" className={rowsAsCardsClasses}>
            {products.map((tool) => (
              <ProductRow key={tool._id} product={tool} attributes={attributes} />
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
      aria-sort={now}
      className={`border-b border-line bg-tint px-1.5 py-1.5 align-bottom font-semibold first:sticky first:left-0 first:z-20 first:pl-3 ${isNumeric ? 'text-right' : 'text-left'}`}
    >
      {sortBy ? (
        <Link
          to={productsUrlWithParams(search, { sort: now === 'ascending' ? `-${sortBy}` : sortBy })}
          preventScrollReset
          className={`flex min-h-6 items-end gap-0.5 hover:text-leaf ${isNumeric ? 'flex-row-reverse' : ''}`}
        >
          {label}
          <Icon name={now ?? 'sortable'} className={`size-4 ${now ? '' : 'text-soft'}`} />
        </Link>
      ) : (
        label
      )}
    </th>
  )
}

const denseCellClasses = '@3xl:px-1.5 @3xl:py-1'

function ProductRow({ product, attributes }: { product: ShownProduct; attributes: PageFacet[] }) {
  return (
    <Row>
      <Cell label="Part" isRowHeader className="@3xl:min-w-52 @3xl:py-1 @max-3xl:before:hidden @max-3xl:*:text-left">
        <Link
          to={`/products/${product._id}`}
          prefetch="intent"
          className="underline decoration-edge underline-offset-2 hover:text-leaf @3xl:line-clamp-2"
        >
          {product.name}
        </Link>
        <BrandAndPartNumber product={product} className="font-normal" />
        <OtherVersions product={product} />
      </Cell>
      {attributes.map((facet) => {
        const text = product.texts[facet.key]
        const isFigure = facet.kind === 'number'
        return (
          <Cell key={facet.key} label={facet.label} isNumeric={isFigure} className={denseCellClasses}>
            {text === undefined ? (
              <span className="text-soft">not known</span>
            ) : isFigure && facet.unit ? (
              <ValueWithUnit text={text} unit={facet.unit} />
            ) : (
              text
            )}
          </Cell>
        )
      })}
      <Cell label="Price" isNumeric className={`${denseCellClasses} font-semibold`}>
        <Amount value={product.price} />
        <OwnPrice product={product} isShort />
        <LowestPrice product={product} />
      </Cell>
      <Cell label="Minimum" isNumeric className={denseCellClasses}>
        <GroupedDigits number={product.minimum_order_quantity} />
        <PackSize product={product} />
      </Cell>
      <Cell label="Stock" isNumeric className={denseCellClasses}>
        <GroupedDigits number={product.available_quantity} />
        {!product.inStock && <span className="font-sans font-semibold text-bad @3xl:block @3xl:text-wrap @max-3xl:ml-2">Out of stock</span>}
      </Cell>
      <Cell label="Buy" className={`${denseCellClasses} @max-3xl:before:hidden @max-3xl:*:w-full`}>
        <BuyNow product={product} dense className="@max-3xl:w-full" />
        {product.inStock && <AddToCartButton product={product} className="@3xl:ml-1 @max-3xl:mt-2 @max-3xl:w-full" />}
      </Cell>
      <Cell label="Compare" className={denseCellClasses}>
        <CompareCheckbox product={product} isLabelHidden />
      </Cell>
    </Row>
  )
}

/** Value with its unit, for the card layout, which has no column header to show it. */
const ValueWithUnit = ({ text, unit }: { text: string; unit: string }) => (
  <>
    {text}
    <span className="@3xl:hidden"> {unit}</span>
  </>
)
