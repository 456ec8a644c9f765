import { collapsedDescriptionCharacters } from '#store/constants.ts'

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The first 30 characters (`collapsedDescriptionCharacters`) and "...", or the whole text if it is not longer. Counts grapheme clusters, so no
 * visible character is cut.
 */
export function shortDescription(description: string): string {
  let shown = 0
  for (const { index } of graphemeSegmenter.segment(description)) {
    if (shown === collapsedDescriptionCharacters) return `${description.slice(0, index)}...`
    shown++
  }
  return description
}
