// Separate from the table of currencies.ts, so that browsers load only the currency of their store.

/** `code`, `symbol` and `minCents` as in `currencies`. */
export type StoreCurrency = { code: string; symbol: string; minCents: number }

let current: StoreCurrency = { code: 'usd', symbol: '$', minCents: 50 }

/** The currency in which everything in this store is priced, ordered and paid. */
export const storeCurrency = (): StoreCurrency => current

/** Sets the currency of this process, of its bundle that renders pages, or of this browser, before anything is priced. */
export function setStoreCurrency(currency: StoreCurrency): void {
  current = currency
}
