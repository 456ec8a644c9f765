/** The label of an attribute or a category that nobody has defined: "cable_length" is "Cable length". */
export function labelFromKey(key: string): string {
  const words = key.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
