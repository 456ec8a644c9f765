import { useDeferredValue, useMemo } from 'react'
import { type ShouldRevalidateFunction, useNavigate, useSearchParams } from 'react-router'
import { findRows, readView, turnTo, type View, viewAddress, type Ways } from './listing.ts'

/** A long list, of which the page's address says what is in view, so that Back, a reload and a shared link show the same. */
export function useListing<Row>(all: Row[], ways: Ways<Row>) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const view = readView(search)
  const { q, kind, sort } = useDeferredValue(view)
  const found = useMemo(() => findRows(all, { q, kind, sort }, ways), [all, q, kind, sort, ways])

  /** Another search or order begins at its first page. */
  const addressOf = (change: Partial<View>) => viewAddress({ ...view, page: 1, ...change })
  /** Nothing has to be asked of the store for it: the whole list is here. */
  const look = (change: Partial<View>, { replace = false } = {}) =>
    navigate({ search: addressOf(change) }, { replace, preventScrollReset: true, defaultShouldRevalidate: false })

  return { view, found, ...turnTo(found, view), addressOf, look }
}

export type Listing = Omit<ReturnType<typeof useListing>, 'found' | 'rows'> & { found: unknown[] }

/** The `shouldRevalidate` of a screen with a listing: searching, sorting and turning pages, Back included, change the address, not the list. */
export const onOtherPages: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate
