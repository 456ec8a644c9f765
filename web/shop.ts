import { createContext } from 'react-router'

/** What every page says about the store itself, the same for every visitor. */
export type Shop = {
  /** the year in the footer's tagline */
  sinceYear: number
  /** no real money is taken: shows the bar with the test cards */
  testMode: boolean
  /** the store's address for links that leave it, without a slash at the end */
  publicUrl: string
}

export const shop = createContext<Shop>()
