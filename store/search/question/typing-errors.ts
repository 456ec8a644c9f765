import { findNamingWord } from './naming-words.ts'
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
    const best =
      findNamingWord(vocabulary.namingWords, text, maxErrors) ?? findNamingWord(vocabulary.namingWords, text.replaceAll('f', 'ph'), 0)
    return best === undefined ? token : { ...token, text: best }
  })
}
