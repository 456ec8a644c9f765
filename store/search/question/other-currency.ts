import { storeCurrency } from '#shared/currency.ts'

/** What tells a currency from others, by its code. */
const words: Record<string, string[]> = {
  usd: ['$', 'usd', 'dollar', 'dollars', 'bucks'],
  eur: ['€', 'eur', 'euro', 'euros'],
  gbp: ['£', 'gbp', 'pounds'],
}

/** The word of an amount that names another currency than the store's: it is taken for the store's. */
export function otherCurrencyIn(texts: string[]): string | undefined {
  const { code, symbol } = storeCurrency()
  return texts.find((text) => text !== symbol && !words[code]?.includes(text) && Object.values(words).some((ofOne) => ofOne.includes(text)))
}
