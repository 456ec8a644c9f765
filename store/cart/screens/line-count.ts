import { useEffect } from 'react'
import { applyVisitorToNavigation } from '#web/account.ts'

const cookie = 'nucleus.cart-lines'

/**
 * Shows in the navigation bar how many lines the basket has. The store says it in a cookie with each change; this is for a basket that was
 * changed elsewhere: on another device, or by a payment.
 */
export function useLineCountInNavigation(lineCount: number): void {
  useEffect(() => {
    if (!document.cookie.includes(`${cookie}=`) || new RegExp(`${cookie}=${lineCount}(;|$)`).test(document.cookie)) return
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that are supported
    document.cookie = `${cookie}=${lineCount}; Path=/; Max-Age=7776000; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
    applyVisitorToNavigation()
  }, [lineCount])
}
