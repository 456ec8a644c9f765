import { emptyQuery } from '../../../proof/random-queries.ts'
import type { SearchIndex } from '../search-index.ts'
import { type Answer, answerQuestion } from './answer-question.ts'

/** Questions to an index: `ask` answers one, `names` are those of the products on its first page, sorted. */
export function questionsTo(index: SearchIndex): { ask(q: string): Answer; names(q: string): string[] } {
  const ask = (q: string) => answerQuestion(index, { ...emptyQuery, q })
  return {
    ask,
    names: (q) =>
      ask(q)
        .productsJson.map((json): string => JSON.parse(json).name)
        .sort(),
  }
}
