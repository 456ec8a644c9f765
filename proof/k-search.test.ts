import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Listed } from '#store/catalogue/search/asked.ts'
import { buildIndex, type SearchIndex } from '#store/catalogue/search/search-index.ts'
import { asListed, readCatalogue } from './catalogue.ts'
import { chance } from './chance.ts'
import { nothingAsked } from './filter-combinations.ts'
import { countWords, type Query, type Rule, rules, writeQueries } from './queries-by-rule.ts'
import { otherRules } from './queries-not-tuned-on.ts'
import { howMany } from './size.ts'

const { lines, source } = readCatalogue(howMany(10_000, 46_803))
const parts = asListed(lines)
const byId = new Map(parts.map((part) => [part._id, part]))
let index: SearchIndex
before(async () => {
  index = await buildIndex(parts)
})

const counts = countWords(parts)
const ofTheIssue = rules(counts)
for (const [nth, rule] of ofTheIssue.entries()) judge(`K${nth + 3}`, rule, 1000 + nth)
for (const [nth, rule] of otherRules(counts).entries()) judge(`K${nth + 3 + ofTheIssue.length}`, rule, 7000 + nth)

/** A row for a rule: what is meant stands among the first ten in at least so many of a hundred. */
function judge(row: string, rule: Rule, seed: number) {
  test(`${row} found among the first ten: ${rule.sentence}, at least ${rule.least} %`, (t) => {
    const queries = writeQueries(rule, parts, howMany(250, 1000), chance(seed))
    const missed = queries.filter((query) => !isFound(query))
    const share = (100 * (queries.length - missed.length)) / queries.length
    t.diagnostic(`${share.toFixed(1)} % of ${queries.length}, ${source}`)
    const examples = missed.slice(0, 20).map(({ q, wanted }) => `"${q}" for ${wanted.name} (${wanted.mpn})`)
    assert.ok(share >= rule.least, `only ${share.toFixed(1)} %; not found:\n${examples.join('\n')}`)
  })
}

const isFound = ({ q, isRight }: Query): boolean => firstTen(q).some(isRight)

const firstTen = (q: string): Listed[] =>
  index.ask({ ...nothingAsked, q, limit: 10, facets: false }).ids.flatMap((id) => byId.get(id) ?? [])
