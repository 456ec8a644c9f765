import { formatPlainCents, parseAmountToCents } from '#shared/typed-amount.ts'
import { formatWeight, type PriceStep } from '#store/delivery/delivery-options.ts'

/*
 * Steps of a price as they are typed, a line each: "2 kg: 4.90", of goods "50: 4.90". "more: 49" is any more, and a price alone holds for everything.
 */

/** Reads "2 kg", "1,5 kg" or "500 g" as grams; NaN for other text, also "1,500 kg", which may be a ton and a half. */
export function parseWeight(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,7}(?:\.\d{1,3}|,\d{1,2})?|0,\d{3})\s*(g|kg)$/i.exec(text.trim()) ?? []
  const grams = Number(number.replace(',', '.')) * (unit.toLowerCase() === 'kg' ? 1000 : 1)
  return number !== '' && Number.isInteger(Math.round(grams * 1000) / 1000) ? Math.round(grams) : Number.NaN
}

/** @returns the first line that cannot be read where there is one */
export function parseSteps(text: string, pricedBy: 'weight' | 'goods'): PriceStep[] | { wrongLine: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const steps: PriceStep[] = []
  for (const line of lines) {
    const [limit, price] = line.includes(':') ? splitAtLast(line, ':') : ['more', line]
    const isAny = /^more$/i.test(limit.trim())
    const upTo = isAny ? null : pricedBy === 'weight' ? parseWeight(limit) : parseAmountToCents(limit)
    const priceCents = parseAmountToCents(price)
    if (Number.isNaN(priceCents) || Number.isNaN(upTo)) return { wrongLine: line }
    steps.push({ upTo, priceCents })
  }
  return steps
}

export const formatSteps = (steps: PriceStep[], pricedBy: 'weight' | 'goods'): string =>
  steps
    .map(({ upTo, priceCents }) => {
      const limit = upTo === null ? 'more' : pricedBy === 'weight' ? formatWeight(upTo) : formatPlainCents(upTo)
      return `${limit}: ${formatPlainCents(priceCents)}`
    })
    .join('\n')

function splitAtLast(text: string, separator: string): [before: string, after: string] {
  const at = text.lastIndexOf(separator)
  return [text.slice(0, at), text.slice(at + separator.length)]
}
