import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildTrie, forEachFuzzyMatch } from './fuzzy-match.ts'

/** Optimal string alignment by its definition. */
function mistakes(typed: string, word: string): number {
  const table = Array.from({ length: word.length + 1 }, (_, line) =>
    Array.from({ length: typed.length + 1 }, (_, column) => line || column),
  )
  const at = (line: number, column: number) => table[line]?.[column] ?? Number.POSITIVE_INFINITY
  for (let line = 1; line <= word.length; line++)
    for (let column = 1; column <= typed.length; column++) {
      const isSame = word[line - 1] === typed[column - 1]
      const isSwapped = line > 1 && column > 1 && word[line - 1] === typed[column - 2] && word[line - 2] === typed[column - 1]
      const least = Math.min(at(line - 1, column) + 1, at(line, column - 1) + 1, at(line - 1, column - 1) + (isSame ? 0 : 1))
      const row = table[line]
      if (row) row[column] = isSwapped ? Math.min(least, at(line - 2, column - 2) + 1) : least
    }
  return at(word.length, typed.length)
}

test('nothing is taken for a mistyped text of more letters than fit a number', () => {
  const letters = 'abcdefgh'
  const words = Array.from({ length: 8 }, (_, nth) => letters.slice(0, nth + 1))
  for (let length = 31; length < 70; length++)
    forEachFuzzyMatch(buildTrie(words), letters.repeat(9).slice(0, length), 1, true, (place) =>
      assert.fail(`${words[place]} for ${length}`),
    )
})

test('of any list of words exactly those are found that are typed with so few mistakes, whole or at their beginning', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '4', 'ä'), minLength: 1, maxLength: 9 })
  const most = fc.constantFrom(1, 2)
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 30 }), word, most, fc.boolean(), (list, typed, most, alsoBeginnings) => {
      const words = list.toSorted((one, other) => (one < other ? -1 : 1))
      const found: [string, number, number][] = []
      forEachFuzzyMatch(buildTrie(words), typed, most, alsoBeginnings, (place, whole, beginning) =>
        found.push([words[place] ?? '', whole, beginning]),
      )
      const expected = words.flatMap((one): [string, number, number][] => {
        const whole = Math.min(mistakes(typed, one), most + 1)
        const beginnings = Array.from({ length: one.length + 1 }, (_, length) => mistakes(typed, one.slice(0, length)))
        const beginning = alsoBeginnings ? Math.min(...beginnings, most + 1) : most + 1
        return whole <= most || beginning <= most ? [[one, whole, beginning]] : []
      })
      assert.deepEqual(found, expected)
    }),
    { numRuns: 2000, seed: 20261121 },
  )
})
