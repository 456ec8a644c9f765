import { phraseKey, type QuestionToken } from './question-tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** No more words of a question are compared with names. */
const maxCorrectedWords = 4

/** Replaces words that neither the vocabulary nor any product has by a word of a category's or maker's name that is one or two letters off. */
export function correctTypingErrors(
  tokens: QuestionToken[],
  vocabulary: Vocabulary,
  isKnownWord: (word: string) => boolean,
): QuestionToken[] {
  let left = maxCorrectedWords
  return tokens.map((token) => {
    const { text } = token
    if (left === 0 || !/^\p{L}{5,20}$/u.test(text) || vocabulary.words.has(text) || vocabulary.phrases.has(phraseKey(text))) return token
    if (isKnownWord(text)) return token
    left--
    const maxErrors = text.length < 9 ? 1 : 2
    let best: string | undefined
    let fewest = maxErrors + 1
    for (const word of vocabulary.namingWords) {
      if (Math.abs(word.length - text.length) > maxErrors || word.charCodeAt(0) !== text.charCodeAt(0)) continue
      const errors = editDistance(text, word)
      if (errors < fewest) [best, fewest] = [word, errors]
    }
    return best === undefined ? token : { ...token, text: best }
  })
}

/** Insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let least = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, (before[column - 2] ?? 0) + 1)
      current.push(least)
    }
    before = last
    last = current
  }
  return last[other.length] ?? 0
}
