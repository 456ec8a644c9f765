import { type ReactNode, useDeferredValue } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * What stands below the first screen of a page. After a click it is rendered in a second step, so that the first screen is painted sooner.
 * All is rendered at once by the server, and where a scroll position comes back or the address names a part of the page. Give it a `key`
 * where one page follows another of its route.
 */
export function BelowFold({ children }: { children: ReactNode }) {
  const navigationType = useNavigationType()
  const { hash } = useLocation()
  const isFromTop = navigationType !== 'POP' && hash === ''
  const isRendered = useDeferredValue(true, !isFromTop)
  return isRendered ? children : <div className="min-h-screen" /> // the footer stays out of sight
}
