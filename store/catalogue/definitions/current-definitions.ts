import { allCategories, setCategories } from '../categories.ts'
import type { Definitions } from './contract.ts'
import { questionWords, setQuestionWords } from './question-words.ts'

/** The definitions of this process. */
export const currentDefinitions = (): Definitions => ({ categories: [...allCategories()], questionWords: questionWords() })

/** Sets the definitions of this process. */
export function setDefinitions({ categories, questionWords }: Definitions): void {
  setCategories(categories)
  setQuestionWords(questionWords)
}
