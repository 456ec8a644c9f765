/**
 * The currencies in which a store can sell, by ISO 4217 code in lower case as the card provider has it: all with two decimals. `symbol`
 * stands before an amount; `minCents`, in cents, is the least that a card can pay.
 * Source: docs.stripe.com/currencies#minimum-and-maximum-charge-amounts. Symbols from CLDR (English, narrow), written out because
 * `Intl.NumberFormat` takes about 170 ms to initialize on a slow phone.
 */
export const currencies = {
  aed: { symbol: 'AED\u00a0', minCents: 200 },
  aud: { symbol: '$', minCents: 50 },
  brl: { symbol: 'R$', minCents: 50 },
  cad: { symbol: '$', minCents: 50 },
  chf: { symbol: 'CHF\u00a0', minCents: 50 },
  czk: { symbol: 'Kč\u00a0', minCents: 1500 },
  dkk: { symbol: 'kr\u00a0', minCents: 250 },
  eur: { symbol: '€', minCents: 50 },
  gbp: { symbol: '£', minCents: 30 },
  hkd: { symbol: '$', minCents: 400 },
  inr: { symbol: '₹', minCents: 50 },
  mxn: { symbol: '$', minCents: 1000 },
  myr: { symbol: 'RM\u00a0', minCents: 200 },
  nok: { symbol: 'kr\u00a0', minCents: 300 },
  nzd: { symbol: '$', minCents: 50 },
  pln: { symbol: 'zł\u00a0', minCents: 200 },
  ron: { symbol: 'lei\u00a0', minCents: 200 },
  sek: { symbol: 'kr\u00a0', minCents: 300 },
  sgd: { symbol: '$', minCents: 50 },
  thb: { symbol: '฿', minCents: 1000 },
  usd: { symbol: '$', minCents: 50 },
}

export type CurrencyCode = keyof typeof currencies

export const currencyCodes = Object.keys(currencies) as CurrencyCode[]

export const isCurrencyCode = (code: string): code is CurrencyCode => Object.hasOwn(currencies, code)
