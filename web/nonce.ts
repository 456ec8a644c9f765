import { createContext } from 'react'

/** The mark that our own inline scripts carry while a page is rendered, see `inline-scripts.ts`; undefined in the browser. */
export const Nonce = createContext<string | undefined>(undefined)
