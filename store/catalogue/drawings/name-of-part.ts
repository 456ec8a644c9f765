/** What the name of a drive says besides its series; it stands among the attributes or is no more than a word of the kind. */
const besidesSeries = [
  /\([^)]*\)/g,
  /\b(?:w\/|with|without|w\/o)\s*(?:an? )?(?:air cooler|heat[ -]?sinks?).*/gi,
  /\b\d+(?:\.\d+)? ?(?:Gb|MB|GB)(?:\/s|ps)|\bIDE\b/gi,
  /\b\d+(?:\.\d+)?\s*(?:TB|GB|MB)\b(?: cache)?/gi,
  /\bM\.2(?:[ -]?22\d{2,3})?\b|\b22(?:30|42|60|80|110)\b|\bmSATA\b|\bU\.[23]\b/gi,
  /\bPCI[ -]?e(?:xpress)?\b|\bGen\.? ?[1-6](?:\.0)?(?: ?x ?\d{1,2})?\b|\b[1-6]\.0(?=\s|$)|\bx ?(?:1|2|4|8|16)\b/gi,
  /\b(?:SATA|SAS|PATA|ATA)\b(?:[ -]?(?:III?|[123]|\d+(?:\.\d)?(?= ?Gb)))?/gi,
  /\b[23]\.5(?:"|''|[ -]?in(?:ch(?:es)?)?\b)?(?=\W|$)/gi,
  /\b\d+(?:\.\d)?k? ?RPM\b/gi,
  /\b(?:NVMe|SSD|HDD|SSHD|HTSK|3D|NAND|[TQM]LC|V-NAND|hard (?:disk )?drive|solid state (?:hybrid )?drive|hybrid drive|hybrid|internal|drive)\b/gi,
]

/**
 * The series in the name of a drive, as its label says it: `Samsung 990 Pro w/Heatsink 2TB SSD M.2 PCIe 4.0 NVMe` is a `990 Pro`. Whole words
 * of at most `most` characters together; '' if the name says no more than the maker and what the attributes say.
 */
export function seriesOfDrive(name: string, brand: string, most = 16): string {
  const isOfBrand = brand !== '' && name.toLowerCase().startsWith(brand.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(name.slice(brand.length))
  const rest = besidesSeries.reduce((text, pattern) => text.replace(pattern, ' '), isOfBrand ? name.slice(brand.length) : name)
  let series = ''
  for (const word of rest.split(/[\s,;|]+/).filter((one) => /[\p{L}\p{N}]/u.test(one))) {
    const longer = series === '' ? word : `${series} ${word}`
    if (longer.length > most) break
    series = longer
  }
  return series
}

/** A text in one line, or, if it is longer than `most`, in two, broken at the space nearest to its middle. */
export function inLines(text: string, most: number): string[] {
  if (text.length <= most) return text === '' ? [] : [text]
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const [first] = spaces.sort((one, other) => Math.abs(one - text.length / 2) - Math.abs(other - text.length / 2))
  return first === undefined ? [text] : [text.slice(0, first), text.slice(first + 1)]
}
