import { normalizeText } from '../tokens.ts'
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
    const best = findNamingWord(vocabulary.namingWords, text, maxErrors)
    return best === undefined ? token : { ...token, text: best }
  })
}

/** A question that is one code typed in two, in one piece where products have it so: "lga 1851" is "lga1851". */
export function joinCode(question: string, isKnownWord: (word: string) => boolean): string {
  const joined = /^\s*\p{L}{2,8}\s+\d{1,5}\s*$/u.test(question) ? question.replace(/\s+/g, '') : question
  return isKnownWord(normalizeText(joined)) ? joined : question
}
