import { createContext } from 'react'

/** The nonce of our own inline scripts while a page is rendered, see `finish-html.ts`. Undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined)
