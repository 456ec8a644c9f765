import { categoryOf } from '#store/catalogue/categories.ts'
import { categoryOption } from '#store/catalogue/product-attributes.ts'
import type { Suggestions } from '../contract.ts'
import type { ParsedQuery, SearchResult } from '../parsed-query.ts'
import { normalizeText } from '../tokens.ts'
import type { Answer } from './answer-question.ts'
import { questionFields } from './describe-reading.ts'

const maxKinds = 2
const maxMakers = 2

/** What the text in the search box means so far: its filters, kinds of products that begin so, and makers that begin so. */
export function suggestShortcuts(
  answer: Answer,
  query: ParsedQuery,
  categoryCounts: { key: string; count: number }[],
): Suggestions['shortcuts'] {
  const { understood, left } = questionFields(answer, query, () => categoryCounts)
  const typed = normalizeText(query.q).trim()
  const meant =
    understood.length > 0 && answer.total > 0
      ? [
          {
            label: [...understood.map(({ label }) => label), ...(left ? [`"${left}"`] : [])].join(', '),
            params: [...understood.flatMap(({ params }) => params), ...(left ? [{ name: 'q', value: left }] : [])],
            count: answer.total,
          },
        ]
      : []
  const kinds = categoryCounts
    .filter(({ key }) => key !== answer.asked.category && namesOf(key).some((name) => name.startsWith(typed)))
    .slice(0, maxKinds)
    .map(({ key, count }) => ({ label: categoryOption(key)?.label ?? key, params: [{ name: 'category', value: key }], count }))
  const makers = brandChoices(answer)
    .filter(({ value }) => normalizeText(value).startsWith(typed))
    .slice(0, maxMakers)
    .map(({ value, count }) => ({ label: value, params: [{ name: 'brand', value }], count }))
  return [...meant, ...kinds, ...makers]
}

const brandChoices = ({ facets }: Pick<SearchResult, 'facets'>) =>
  facets.flatMap((facet) => (facet.kind === 'choice' && facet.key === 'brand' ? facet.choices : []))

/** The label of a category and what else it is called, in lower case. */
function namesOf(key: string): string[] {
  const category = categoryOf(key)
  const kinds = category?.kinds?.filter(({ hint, filters }) => !hint && !filters) ?? []
  return [categoryOption(key)?.label ?? key, ...(category?.words ?? []), ...kinds.flatMap(({ words }) => words)].map(normalizeText)
}
