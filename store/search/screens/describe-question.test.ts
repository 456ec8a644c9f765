import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchResponse } from '#store/search/contract.ts'
import { describeQuestion } from './describe-question.ts'

const plain: SearchResponse = {
  ...{ total: 1, rows: 1, families: [], facets: [], next: null, tools: [] },
  ...{
    unread: false,
    understood: [],
    left: '',
    exact: true,
    left_out: [],
    not_excluded: [],
    not_counted: [],
    either: false,
    other_currency: null,
    as_words: false,
  },
  ...{ contradiction: false, nearest: [] },
}
const messageOf = (answer: Partial<SearchResponse>) => describeQuestion('gpu under $500', { ...plain, ...answer })?.message

test('a question that nothing is to be said of has no note', () => {
  assert.equal(describeQuestion('gpu under $500', plain), undefined)
})

test('until the search can read questions an answer says so, whatever else there is to say', () => {
  const [startingWithNone, starting] = [messageOf({ unread: true, total: 0 }), messageOf({ unread: true, exact: false })]
  assert.match(startingWithNone ?? '', /search is starting/)
  assert.equal(starting, startingWithNone)
  assert.match(messageOf({ exact: false }) ?? '', /^No exact match/)
})

test('what cannot be left out or counted is said, and for what another currency was taken', () => {
  assert.match(messageOf({ either: true }) ?? '', /one, and not always all/)
  assert.match(messageOf({ other_currency: '€' }) ?? '', /^Prices are in USD: "€" was taken for it\.$/)
  assert.match(messageOf({ other_currency: '€', exact: false }) ?? '', /^No exact match .* Prices are in USD/)
  assert.match(messageOf({ not_excluded: ['without fan'] }) ?? '', /cannot leave out what is meant by "without fan"/)
  assert.match(
    messageOf({ not_counted: ['3 displayports'] }) ?? '',
    /cannot count what is meant by "3 displayports": some of these may have fewer/,
  )
})
