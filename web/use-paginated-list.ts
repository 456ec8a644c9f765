import { useDeferredValue, useMemo } from 'react'
import { type ShouldRevalidateFunction, useNavigate, useSearchParams } from 'react-router'
import { filterAndSortRows, type ListQuery, listQueryString, pageCount, paginate, parseListQuery, type RowAccessors } from './list-query.ts'

/** State and navigation of a long list: number of matches, current page, and changes of search, sorting or page. */
export type PaginatedList = {
  query: ListQuery
  /** number of matching rows on all pages */
  total: number
  /** 1-based, at most `pages` */
  page: number
  pages: number
  /** The query string after a change. Goes to page 1 unless the change includes a page. */
  queryStringFor(change: Partial<ListQuery>): string
  updateQuery(change: Partial<ListQuery>, options?: { replace?: boolean }): void
}

/** A list that is completely loaded in the browser. Its query is stored in the URL, so that Back, reload and shared links restore it. */
export function usePaginatedList<Row>(all: Row[], accessors: RowAccessors<Row>): PaginatedList & { rows: Row[] } {
  const view = parseListQuery(useSearchParams()[0])
  const { q, kind, sort } = useDeferredValue(view)
  const matching = useMemo(() => filterAndSortRows(all, { q, kind, sort }, accessors), [all, q, kind, sort, accessors])
  const { page, pages, rows } = paginate(matching, view)
  return { query: view, total: matching.length, page, pages, rows, ...useListNavigation(view) }
}

/** Like `usePaginatedList`, for a list that the server returns page by page. */
export function useServerPaginatedList(total: number): PaginatedList {
  const view = parseListQuery(useSearchParams()[0])
  const pages = pageCount(total, view.pageSize)
  return { query: view, total, page: Math.min(view.page, pages), pages, ...useListNavigation(view) }
}

function useListNavigation(view: ListQuery): Pick<PaginatedList, 'queryStringFor' | 'updateQuery'> {
  const navigate = useNavigate()
  const queryStringFor = (change: Partial<ListQuery>) => listQueryString({ ...view, page: 1, ...change })
  return {
    queryStringFor,
    // No loader has to run: the data do not depend on the list query.
    updateQuery: (change, { replace = false } = {}) =>
      void navigate({ search: queryStringFor(change) }, { replace, preventScrollReset: true, defaultShouldRevalidate: false }),
  }
}

/** `shouldRevalidate` of a page with `usePaginatedList`: search, sorting and pagination, including Back, do not change the data. */
export const revalidateOnPathChange: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname && defaultShouldRevalidate

/** `shouldRevalidate` of a page with a `useServerPaginatedList`: a different URL is a different query. */
export const revalidateOnUrlChange: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.href !== nextUrl.href || defaultShouldRevalidate
