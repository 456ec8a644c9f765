const maxBuckets = 24
/** Numbers that span more than this are spread over buckets that grow with them. */
const maxLinearRatio = 100
const stepsOfTen = [1, 2, 2.5, 5]
/** Bounds within a power of ten, the closest first. */
const boundsOfTen = [[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1]]

/** Distinct numbers, ascending, and how many products have each. */
export type CountedNumbers = { values: Float64Array; counts: Uint32Array }

/**
 * How many products have a number from each bound up to below the next.
 * @returns one bound more than counts, all of them numbers that people would write; undefined for numbers that are all about the same
 */
export function computeHistogram({ values, counts: countByPlace }: CountedNumbers): { bounds: number[]; counts: number[] } | undefined {
  const [least, most] = [values[0], values.at(-1)]
  if (least === undefined || most === undefined) return undefined
  const span = most - least
  // Numbers that twelve digits do not tell apart have no bounds between them.
  if (!Number.isFinite(span) || span <= 1e-9 * Math.abs(most)) return undefined
  const isWide = least > 0 && most / least > maxLinearRatio
  const bounds = isWide
    ? growingBounds(least, most)
    : evenBounds(
        least,
        most,
        partsOfOne.find((parts) => values.every((value) => isInParts(value, parts))),
      )
  const counts = new Array<number>(bounds.length - 1).fill(0)
  let bucket = 0
  for (let at = 0; at < values.length; at++) {
    while ((values[at] ?? 0) >= (bounds[bucket + 1] ?? Number.POSITIVE_INFINITY)) bucket++
    counts[bucket] = (counts[bucket] ?? 0) + (countByPlace[at] ?? 0)
  }
  return { bounds, counts }
}

/** Into how many parts one is divided for all numbers to be whole parts, and bounds then are too: pieces, tenths, cents. */
const partsOfOne = [1, 10, 100]
/** Whether a number is the closest to a whole number of parts that a binary fraction can be. */
const isInParts = (value: number, parts: number): boolean => Math.round(value * parts) / parts === value

/** Bounds at the same distance; the last is above `most`. */
function evenBounds(least: number, most: number, parts: number | undefined): number[] {
  const power = 10 ** Math.floor(Math.log10((most - least) / maxBuckets))
  if (!(power > 0) || !Number.isFinite(power)) return [least, most * 2]
  for (let scale = power; ; scale *= 10)
    for (const step of stepsOfTen.map((one) => exact(one * scale))) {
      if (parts !== undefined && !isInParts(step, parts)) continue
      const from = Math.floor(exact(least / step))
      const buckets = Math.floor(exact(most / step)) - from + 1
      if (buckets <= maxBuckets) return Array.from({ length: buckets + 1 }, (_, nth) => exact((from + nth) * step))
    }
}

/** Bounds at about the same ratio; the last is above `most`. `least` is above zero. */
function growingBounds(least: number, most: number): number[] {
  const firstPower = Math.floor(Math.log10(least))
  const powers = Math.floor(Math.log10(most)) + 2 - firstPower
  for (const ofTen of boundsOfTen) {
    const all = Array.from({ length: powers }, (_, nth) => ofTen.map((one) => exact(one * 10 ** (firstPower + nth)))).flat()
    const from = all.findLastIndex((bound) => bound <= least)
    const to = all.findIndex((bound) => bound > most)
    if (to - from <= maxBuckets) return all.slice(from, to + 1)
  }
  const ratio = (most / least) ** (1 / (maxBuckets - 1))
  return Array.from({ length: maxBuckets + 1 }, (_, nth) => least * ratio ** nth)
}

/** Rounded to twelve digits, without the error of binary fractions: 3 x 0.1 is 0.3. */
function exact(number: number): number {
  const places = exactDigits - 1 - Math.floor(Math.log10(Math.abs(number)))
  const scale = powersOfTen[Math.abs(places)]
  if (scale === undefined) return Number(number.toPrecision(exactDigits))
  return places < 0 ? Math.round(number / scale) * scale : Math.round(number * scale) / scale
}
const exactDigits = 12
/** Those that are exact as binary fractions: what is divided by one of them is the number that its decimal digits say. */
const powersOfTen = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))
