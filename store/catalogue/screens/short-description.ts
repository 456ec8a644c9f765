import { descriptionCharacters } from '#store/constants.ts'

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The first 30 characters and "...", or the whole where there are no more. A character is what people see as one: none is cut in half. */
export function shortDescription(description: string): string {
  let shown = 0
  for (const { index } of characters.segment(description)) {
    if (shown === descriptionCharacters) return `${description.slice(0, index)}...`
    shown++
  }
  return description
}
