// Apart from the schemas of whole-number.ts, so that a public page can ask it without fetching them.

/** Reads what a person types into a quantity or price field: " 25 " and "1,250" are numbers, "2.5" and "1e3" are not. */
export function typedWholeNumber(text: string): number {
  const plain = text.trim()
  if (!/^\d{1,3}(,\d{3})+$|^\d+$/.test(plain)) return Number.NaN
  return Math.min(Number(plain.replaceAll(',', '')), Number.MAX_SAFE_INTEGER) // more digits than any number has are still too much, not nothing
}
