type Named = { name: string }

/** One form for all spellings of a text: with accents or without, the German sharp s as SS, each sigma. */
const normalizeText = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()

/** The products whose names hold every wanted word, in any order. */
export function searchByName<T extends Named>(all: T[], wanted: string) {
  const words = normalizeText(wanted).match(/\S+/g) ?? []
  return all.filter(({ name }) => {
    const folded = normalizeText(name)
    return words.every((word) => folded.includes(word))
  })
}

/** For sorting: numbers as people count, "M2" before "M10". */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare
