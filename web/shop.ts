import { createContext } from 'react-router'

/** What every page says about the store itself, the same for every visitor. */
export type Shop = {
  /** its own address, such as https://shop.example, for what other sites are told */
  origin: string
  /** the year in the footer's tagline */
  sinceYear: number
  /** no real money is taken: shows the bar with the test cards */
  testMode: boolean
  /** mails lie at /outbox, for who sits at the store's machine */
  outbox: boolean
  /** people can sign in with Google */
  google: boolean
}

export const shop = createContext<Shop>()
