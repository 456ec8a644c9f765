import { phraseKey, type QuestionToken } from './question-tokens.ts'
import { maxPhraseTokens, type Phrase, type Vocabulary } from './vocabulary.ts'

/** Finds the phrases of the vocabulary in the tokens of a question. */
export class PhraseFinder {
  readonly #tokens: QuestionToken[]
  readonly #phrases: Vocabulary['phrases']

  constructor(tokens: QuestionToken[], { phrases }: Pick<Vocabulary, 'phrases'>) {
    this.#tokens = tokens
    this.#phrases = phrases
  }

  /**
   * The longest phrase that begins at a token.
   * @param start letters that the phrase begins with, before that token
   * @param end the token before which it ends
   * @returns the phrase and the token after it
   */
  phraseAt(at: number, isWanted: (phrase: Phrase) => boolean = () => true, start = '', end = Infinity): [Phrase | undefined, to: number] {
    let key = start
    let found: Phrase | undefined
    let to = at
    const first = start === '' ? undefined : this.#phrases.get(start)
    if (first && isWanted(first)) found = first
    for (let next = at; next < Math.min(end, this.#tokens.length, at + maxPhraseTokens); next++) {
      const token = this.#tokens[next]
      if (!token || (start !== '' && !token.isGlued)) break
      const part = phraseKey(token.text)
      if (part === '') continue
      key += part
      const phrase = this.#phrases.get(key)
      if (phrase && isWanted(phrase)) [found, to] = [phrase, next + 1]
    }
    return [found, found ? to : at]
  }
}
