import { storeCurrency } from '#shared/currency.ts'
import { amountToCents, formatCents } from '#shared/money.ts'
import type { Facet } from '#store/search/contract.ts'
import { labelFromKey } from './facet-options.ts'
import { appendUnit, formatFacetNumber, formatIfNumber } from './facet-texts.ts'
import { readSearchParams } from './search-url.ts'

// Separate from facet-texts.ts: only the server lists them.

/** A filter set in the URL, with its label. */
export type AppliedFilter = { name: string; value: string; label: string }

/** All filters of a URL except search text and category, one item for each value. */
export function listAppliedFilters(search: URLSearchParams, facets: Facet[]): AppliedFilter[] {
  const byName = new Map(facets.map((facet) => [facet.key, facet]))
  const params = readSearchParams(search)
  const isAsked = (facet: string) => ['', '.min', '.max'].some((end) => params[`${facet}${end}`])
  return Object.entries(params)
    .filter(([name]) => !['q', 'category', 'sort', 'read'].includes(name))
    .flatMap(([name, values]) =>
      values.map((value) => {
        const label = formatFilter(name, value, byName)
        return { name, value, label: name.endsWith('.unknown') && isAsked(name.slice(0, -8)) ? label.replace('not', 'or not') : label }
      }),
    )
}

function formatFilter(name: string, value: string, facets: Map<string, Facet>): string {
  if (name === 'in_stock') return 'In stock'
  if (name === 'lowered') return 'Price lowered'
  if (name === 'q.not') return `Not in the name: ${value}`
  if (name === 'pieces') return `${formatIfNumber(value)} pieces`
  const [, chosen = name, bound] = name.match(/^(.+)\.(min|max|not|unknown|stated)$/) ?? []
  if (chosen === 'price') return `Price: ${formatTypedPrice(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const facet = facets.get(chosen)
  const label = facet?.label ?? labelFromKey(chosen)
  if (bound === 'unknown') return `${label}: not stated`
  if (bound === 'stated') return `${label}: any`
  const number = facet?.kind === 'number' && value !== '' ? appendUnit(formatFacetNumber(facet, value), facet.unit) : undefined
  if (bound && bound !== 'not') return `${label}: ${number ?? formatIfNumber(value)} or ${bound === 'min' ? 'more' : 'less'}`
  const choice = facet?.kind === 'choice' ? facet.choices.find((one) => one.value === value) : undefined
  if (bound === 'not' && value === 'Yes') return `${label}: no or not stated`
  return `${label}: ${bound ? 'not ' : ''}${choice?.label ?? number ?? value}`
}

/** "12.5" is "$12.50". A bound may have more decimals than a price, such as "12.345", and an invalid one is shown as it is. */
const formatTypedPrice = (value: string): string =>
  /^\d+(\.\d{1,2})?$/.test(value) ? formatCents(amountToCents(Number(value))) : `${storeCurrency().symbol}${formatIfNumber(value)}`
