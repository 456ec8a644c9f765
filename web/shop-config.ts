import { createContext } from 'react-router'
import type { StoreCurrency } from '#shared/currency.ts'
import type { SaleTerms } from '#shared/sale-terms.ts'

/** Settings of the store that every page needs, the same for every visitor. */
export type ShopConfig = {
  /** the public origin, e.g. https://shop.example, for metadata read by other sites */
  origin: string
  currency: StoreCurrency
  timeZone: string
  saleTerms: SaleTerms
  /** the year in the footer's tagline */
  sinceYear: number
  /** no real payments: displays the bar with the test card */
  testMode: boolean
  /** e-mails are readable at /outbox on the store's machine */
  hasOutbox: boolean
  hasGoogleSignIn: boolean
}

export const shopConfigContext = createContext<ShopConfig>()
