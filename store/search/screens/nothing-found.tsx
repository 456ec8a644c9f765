import { formatNumber } from '#shared/format-number.ts'
import { ButtonLink } from '#web/button.tsx'
import { Illustration } from '#web/illustration.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { urlWithoutFilters } from './applied-filters.tsx'
import type { AppliedFilter } from './list-applied-filters.ts'
import type { FilterRelaxation } from './search-by-url.ts'
import { productsUrlWithParams } from './search-url.ts'

type NothingFoundProps = {
  search: URLSearchParams
  relaxations: FilterRelaxation[]
  filters: AppliedFilter[]
  /** as it was typed */
  q: string | undefined
}

/** Empty state that lists which filters to remove and the number of results without each. */
export function NothingFound({ search, relaxations, filters, q }: NothingFoundProps) {
  const hasFilters = filters.length > 0
  return (
    <Panel as="section" aria-labelledby="nothing-found" className="flex flex-col items-start gap-4 sm:p-8">
      <Illustration name="nothing-found" className="h-auto w-40 sm:w-52" />
      <h2 id="nothing-found" className="text-xl">
        0 results{q && ` for "${q}"`}
        {hasFilters && ' with these filters'}
      </h2>
      {relaxations.length > 0 && (
        <div>
          <p>There are products if you take something away:</p>
          <ul className="mt-1">
            {relaxations.map(({ label, params, total }) => (
              <li key={params.join()} className="flex flex-wrap gap-x-2">
                <TextLink
                  to={productsUrlWithParams(search, Object.fromEntries(params.map((name) => [name, undefined])))}
                  className="inline-flex min-h-8 items-center"
                >
                  without {label}
                </TextLink>
                <span className="self-center text-soft">
                  {formatNumber(total)} {total === 1 ? 'product' : 'products'}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {q && (
        <ul className="list-disc pl-5 text-soft">
          <li>Fewer words find more: every word has to fit.</li>
          <li>The beginning of a part number is enough, with or without its dashes.</li>
          <li>A word for the kind of part helps more than a sentence: "memory", "ddr5", "650 W".</li>
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {hasFilters && (
          <ButtonLink variant="quiet" to={urlWithoutFilters(search, filters)}>
            Clear all filters
          </ButtonLink>
        )}
        <ButtonLink variant="quiet" to="/allproducts">
          All tools and categories
        </ButtonLink>
      </div>
    </Panel>
  )
}
