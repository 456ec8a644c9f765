/** A value of the file as text, short enough for display. */
export function abbreviateCellValue(found: unknown): string {
  if (found === undefined) return ''
  const text = typeof found === 'string' ? found : stringifyJson(found)
  const storable = text.replaceAll('\0', '�').toWellFormed()
  return storable.length > 80 ? `${storable.slice(0, 79).toWellFormed()}…` : storable
}

/** `JSON.stringify` throws on too deep nesting. */
export function stringifyJson(found: unknown): string {
  try {
    return JSON.stringify(found)
  } catch {
    return 'JSON nested without end'
  }
}
