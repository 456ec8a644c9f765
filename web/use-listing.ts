import { useDeferredValue, useMemo } from 'react'
import { type ShouldRevalidateFunction, useNavigate, useSearchParams } from 'react-router'
import { findRows, pagesOf, readView, turnTo, type View, viewAddress, type Ways } from './listing.ts'

/** What stands around a long list: how much was found, which page of it is in view, and the way to another search, order or page. */
export type Listing = {
  view: View
  /** how many rows were found, on all pages */
  total: number
  /** from 1; never beyond the last */
  page: number
  pages: number
  /** Another search or order begins at its first page. */
  addressOf(change: Partial<View>): string
  look(change: Partial<View>, options?: { replace?: boolean }): void
}

/** A long list that is here as a whole, of which the page's address says what is in view, so that Back, a reload and a shared link show the same. */
export function useListing<Row>(all: Row[], ways: Ways<Row>): Listing & { rows: Row[]; found: Row[] } {
  const view = readView(useSearchParams()[0])
  const { q, kind, sort, time, from, to } = useDeferredValue(view)
  const found = useMemo(() => findRows(all, { q, kind, sort, time, from, to }, ways), [all, q, kind, sort, time, from, to, ways])
  const { page, pages, rows } = turnTo(found, view)
  return { view, total: found.length, page, pages, rows, found, ...useWays(view) }
}

/** The same for a list of which the store answers one page at a time. */
export function useAnsweredListing(total: number): Listing {
  const view = readView(useSearchParams()[0])
  const pages = pagesOf(total, view.rows)
  return { view, total, page: Math.min(view.page, pages), pages, ...useWays(view) }
}

function useWays(view: View): Pick<Listing, 'addressOf' | 'look'> {
  const navigate = useNavigate()
  const addressOf = (change: Partial<View>) => viewAddress({ ...view, page: 1, ...change })
  return {
    addressOf,
    /** Nothing around the list has to be asked of the store for it. */
    look: (change, { replace = false } = {}) =>
      void navigate({ search: addressOf(change) }, { replace, preventScrollReset: true, defaultShouldRevalidate: false }),
  }
}

/** The `shouldRevalidate` of a screen with a listing: searching, sorting and turning pages, Back included, change the address, not the list. */
export const onOtherPages: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate

/** The same where the store answers one page at a time: another address is another question. */
export const onOtherAddresses: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.href !== nextUrl.href || defaultShouldRevalidate
