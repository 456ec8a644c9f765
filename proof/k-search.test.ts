import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { answerQuestion } from '#store/search/question/answer-question.ts'
import { buildIndex, type SearchIndex } from '#store/search/search-index.ts'
import { fullCatalogueSize, readCatalogue, toIndexedProducts } from './catalogue.ts'
import { sampleSize } from './full-run.ts'
import { countWordFrequencies, type ExpectedQuery, generateQueries, type QueryRule, queryRules } from './generated-queries.ts'
import { heldOutQueryRules } from './held-out-queries.ts'
import { emptyQuery } from './random-queries.ts'
import { seededRandom } from './seeded-random.ts'
import { normalizePartNumber } from './tokens.ts'

const { rows, source } = readCatalogue(sampleSize(5000, fullCatalogueSize))
const parts = toIndexedProducts(rows)
const byId = new Map(parts.map((part) => [part._id, part]))
let index: SearchIndex
before(async () => {
  index = await buildIndex(parts)
})

const counts = countWordFrequencies(parts)
const ofTheIssue = queryRules(counts)
for (const [nth, rule] of ofTheIssue.entries()) judge(`K${nth + 3}`, rule, 1000 + nth)
for (const [nth, rule] of heldOutQueryRules(counts).entries()) judge(`K${nth + 3 + ofTheIssue.length}`, rule, 7000 + nth)

/** A row for a rule: what is meant stands among the first ten in at least so many of a hundred. */
function judge(row: string, rule: QueryRule, seed: number) {
  test(`${row} found among the first ten: ${rule.description}, at least ${rule.minPercent} %`, (t) => {
    const queries = generateQueries(rule, parts, sampleSize(150, 1000), seededRandom(seed)).filter(
      (query) => !isShortCodeWithOtherDigits(query),
    )
    const missed = queries.filter((query) => !isFound(query))
    const share = (100 * (queries.length - missed.length)) / queries.length
    t.diagnostic(`${share.toFixed(1)} % of ${queries.length}, ${source}`)
    const examples = missed.slice(0, 20).map(({ q, expected }) => `"${q}" for ${expected.name} (${expected.mpn})`)
    assert.ok(share >= rule.minPercent, `only ${share.toFixed(1)} %; not found:\n${examples.join('\n')}`)
  })
}

/** In a short code that is the whole question no digits are corrected: CR2023 is another thing than CR2032. */
const isShortCodeWithOtherDigits = ({ q, expected }: ExpectedQuery): boolean => {
  const code = normalizePartNumber(q)
  return (
    code.length <= 6 &&
    /\d/.test(code) &&
    [expected.mpn ?? '', expected.sku].every((number) => !normalizePartNumber(number).startsWith(code))
  )
}

const isFound = ({ q, isRight }: ExpectedQuery): boolean => firstTen(q).some(isRight)

const firstTen = (q: string): IndexedProduct[] =>
  answerQuestion(index, { ...emptyQuery, q, limit: 10, facets: false }).ids.flatMap((id) => byId.get(id) ?? [])
