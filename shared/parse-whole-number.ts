// Separate from the schemas of whole-number.ts, so that public pages do not load zod.

/** Parses the text of a quantity or price field: " 25 " and "1,250" are numbers, "2.5" and "1e3" are NaN. */
export function parseWholeNumber(text: string): number {
  const plain = text.trim()
  if (!/^\d{1,3}(,\d{3})+$|^\d+$/.test(plain)) return Number.NaN
  // Clamped, so that too many digits fail the maximum, not the number check.
  return Math.min(Number(plain.replaceAll(',', '')), Number.MAX_SAFE_INTEGER)
}
