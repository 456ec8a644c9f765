import type { ShouldRevalidateFunction } from 'react-router'

/**
 * `shouldRevalidate` of a page with `usePaginatedList`: search, sorting and pagination, including Back, do not change the data. At the same URL
 * it is asked for anew because something has changed.
 */
export const revalidateOnPathChange: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  (currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href) && defaultShouldRevalidate

/** `shouldRevalidate` of a page with a `useServerPaginatedList`: a different URL is a different query. */
export const revalidateOnUrlChange: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.href !== nextUrl.href || defaultShouldRevalidate
