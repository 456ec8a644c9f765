import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { IndexedProduct } from '#store/search/parsed-query.ts'
import { answerQuestion } from '#store/search/question/answer-question.ts'
import { buildIndex, type SearchIndex } from '#store/search/search-index.ts'
import { type AnsweredQuestion, type Judgement, judgeAnswer, partsMissing, readParts } from './labelled-questions.ts'
import { questions } from './questions.ts'
import { questionsPutAside } from './questions-put-aside.ts'
import { emptyQuery } from './random-queries.ts'

const parts: IndexedProduct[] = partsMissing ? [] : readParts()
const byId = new Map(parts.map((part) => [part._id, part]))
let index: SearchIndex
before(async () => {
  index = await buildIndex(parts)
})

function answer(q: string): AnsweredQuestion {
  const { total, ids, isNear } = answerQuestion(index, { ...emptyQuery, q, limit: 10, facets: false })
  return { total, firstTen: ids.flatMap((id) => byId.get(id) ?? []), saysNoExactMatch: isNear }
}

const judged = () => [
  { name: 'the questions at hand', list: questions.map((label) => judgeAnswer(label, parts, answer(label.q))) },
  { name: 'those put aside', list: questionsPutAside.map((label) => judgeAnswer(label, parts, answer(label.q))) },
]
const sum = (list: Judgement[], of: (one: Judgement) => number) => list.reduce((total, one) => total + of(one), 0)
const minPlacesPercent = 95
const minTotalsPercent = 90

test('K13 of the places among the first ten, what a purchaser means by a question has at least 95 %', { skip: partsMissing }, (t) => {
  for (const { name, list } of judged()) {
    const share = (100 * sum(list, ({ right }) => right)) / sum(list, ({ places }) => places)
    t.diagnostic(`${share.toFixed(1)} % of the places of ${list.length} questions, ${name}, ${parts.length} real parts`)
    const wrong = list.filter(({ right, places }) => right < places).map(({ q, right, places }) => `"${q}": ${right} of ${places}`)
    assert.ok(share >= minPlacesPercent, `${name}: only ${share.toFixed(1)} %\n${wrong.join('\n')}`)
  }
})

test('K14 the total is within 5 % of what the question means for at least 90 % of them', { skip: partsMissing }, (t) => {
  for (const { name, list } of judged()) {
    const counted = list.filter(({ isTotalRight }) => isTotalRight !== undefined)
    const wrong = counted.filter(({ isTotalRight }) => !isTotalRight)
    const share = (100 * (counted.length - wrong.length)) / counted.length
    t.diagnostic(`${share.toFixed(1)} % of ${counted.length} questions, ${name}, ${parts.length} real parts`)
    const lines = wrong.map((one) => `"${one.q}": ${one.total} instead of ${one.counted}`)
    assert.ok(share >= minTotalsPercent, `${name}: only ${share.toFixed(1)} %\n${lines.join('\n')}`)
  }
})
