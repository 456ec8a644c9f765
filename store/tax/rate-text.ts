import type { RatePpm } from './compute-tax.ts'

/** 88_750 is 8.875 %. */
export const formatRate = (ratePpm: RatePpm): string => `${formatPlainRate(ratePpm)} %`

/** 88_750 is 8.875, as it is typed. */
export const formatPlainRate = (ratePpm: RatePpm): string => `${ratePpm / 10_000}`

/** Reads a percentage with at most four decimals, after a point or a comma, with or without its sign: "8.875 %" is 88_750. NaN for other text. */
export function parseRate(text: string): RatePpm {
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*%?$/.exec(text.trim()) ?? []
  return whole === '' ? Number.NaN : Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'))
}
