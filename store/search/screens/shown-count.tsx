import { formatNumber } from '#shared/format-number.ts'
import { inStockCount } from './facet-options.ts'
import type { PageFacet } from './page-facets.ts'
import type { ProductListPageData } from './search-by-url.ts'
import { perPage } from './search-url.ts'

/** Which of how many products a page of the list shows. */
export function ShownCount({ page, products, total, rows }: Pick<ProductListPageData, 'page' | 'products' | 'total' | 'rows'>) {
  const before = (page - 1) * perPage
  return (
    <p role="status">
      {total > 0 && (
        <>
          <span className="figures">
            {formatNumber(before + 1)}-{formatNumber(before + products.length)}
          </span>{' '}
          of{' '}
          {rows !== total && (
            <>
              <span className="figures">{formatNumber(rows)}</span> rows,{' '}
            </>
          )}
        </>
      )}
      <strong className="figures">{formatNumber(total)}</strong> {total === 1 ? 'product' : 'products'}
    </p>
  )
}

/** How many products the shop has. */
export function StockSummary({ total, facets }: { total: number; facets: PageFacet[] }) {
  const inStock = inStockCount(facets)
  return (
    <>
      {formatNumber(total)} products{inStock !== undefined && `, ${formatNumber(inStock)} of them in stock`}
    </>
  )
}
