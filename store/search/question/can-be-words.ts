import { categoryOf } from '#store/catalogue/categories.ts'
import { parseProduct } from '../parse-product.ts'
import { type ParsedQuery, withoutFilters } from '../parsed-query.ts'
import type { SearchIndex } from '../search-index.ts'
import type { CountProducts } from './pieces-needed.ts'
import type { Reading } from './reading.ts'

/** A word that so few products have in their names is not said of a kind but tells which product is meant. */
const maxShareOfTellingWord = 1 / 500

/**
 * Whether a search for the words of a question answers it: where it names a kind, not with products of other kinds alone, unless a word tells
 * which, and with typing errors only if it has any. What has no category may be of any kind.
 */
export function canBeWords(index: SearchIndex, query: ParsedQuery, reading: Reading): boolean {
  const { isCategoryNamed, kinds, words: left } = reading
  if (!isCategoryNamed) return true
  const categories = query.category === undefined ? [...new Set(kinds)] : [query.category]
  const hasTypingErrors = isMistyped(index, reading)
  for (const category of categories) {
    const { total, words } = index.find({ ...query, category }, { isNumberInName: true })
    if (total > 0 && (words.isExact || hasTypingErrors)) return true
  }
  if (isNamedWithoutCategory(index, query)) return true
  const telling = left.filter((word) => {
    const count = /\p{L}/u.test(word) ? countProducts(index, query, undefined, { word }) : 0
    return count > 0 && count <= maxShareOfTellingWord * index.size
  })
  if (telling.length > 0 && index.find(query).words.isExact) return true
  return telling.some((word) => categories.every((category) => countProducts(index, query, category, { word }) === 0))
}

const isMistyped = (index: SearchIndex, reading: Reading): boolean => reading.isCorrected || hasUnknownWord(index, reading)

/** Whether some word that is left has no product. */
export const hasUnknownWord = (index: SearchIndex, { words }: Reading): boolean =>
  words.some((word) => word.split(/[ -]/).some((part) => !index.hasTerm(part)))

/** What a question means does not depend on the page and the order in which its answer is shown. */
const firstPage = { offset: 0, sort: undefined, collapsesFamilies: false }

/** Whether of the first products with all words in their names one has no category, or one without a definition. */
export const isNamedWithoutCategory = (index: SearchIndex, query: ParsedQuery): boolean =>
  index
    .search({ ...query, ...firstPage, facets: false, limit: 10 }, { isInName: true })
    .productsJson.some((json) => !categoryOf(parseProduct(json).category))

/** How many products a category has, whatever is chosen: all, with a word in the name, or with a number of an attribute. */
export const countProducts = (
  index: SearchIndex,
  query: ParsedQuery,
  category: string | undefined,
  having?: Parameters<CountProducts>[1],
): number =>
  index.find(
    {
      ...{ ...withoutFilters(query), q: having && 'word' in having ? having.word : '', category },
      ranges: new Map(having && 'key' in having ? [[having.key, having]] : []),
    },
    { isInName: true },
  ).total
