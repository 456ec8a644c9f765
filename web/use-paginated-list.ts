import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'
import {
  type FilterChoices,
  filterAndSortRows,
  type ListQuery,
  type ListSearchAccessors,
  listQueryString,
  pageCount,
  paginate,
  parseListQuery,
} from './list-query.ts'

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

/** A list that is completely loaded in the browser. Its query is stored in the URL, so that Back, reload and shared links restore it. @param accessors the same in each render */
export function usePaginatedList<Row>(all: Row[], accessors: ListSearchAccessors<Row>): PaginatedList & { rows: Row[] } {
  const choices = useMemo(
    () => Object.fromEntries(Object.entries(accessors.filters ?? {}).map(([name, filter]) => [name, filter.choices])),
    [accessors],
  )
  const view = useListQuery(choices)
  const { q, filters, sort } = useDeferredValue(view)
  const matching = useMemo(() => filterAndSortRows(all, { q, filters, sort }, accessors), [all, q, filters, sort, accessors])
  const { page, pages, rows } = paginate(matching, view)
  return { query: view, total: matching.length, page, pages, rows, ...useListNavigation(view) }
}

/** How long typing has to pause before the server is asked. */
const typingPauseMs = 250

/** Like `usePaginatedList`, for a list that the server returns page by page. What is typed (`replace`) is asked for once typing pauses. */
export function useServerPaginatedList(total: number, choices?: FilterChoices): PaginatedList {
  const view = useListQuery(choices)
  const pages = pageCount(total, view.limit)
  const [typed, setTyped] = useState<Partial<ListQuery>>()
  const { pathname } = useLocation()
  const { location: next } = useNavigation()
  // What was asked for last may still be loading: a filter that is pressed meanwhile keeps what was typed.
  const asked = next?.pathname === pathname ? parseListQuery(new URLSearchParams(next.search), choices) : view
  const isLeaving = next !== undefined && next.pathname !== pathname // a link was pressed: asking now would cancel it
  const { queryStringFor, updateQuery } = useListNavigation({ ...asked, ...typed })
  const askForTyped = useEffectEvent(() => {
    const isAsked = queryStringFor({ page: asked.page }) === listQueryString(asked)
    if (!isAsked) updateQuery({}, { replace: true })
  })
  useEffect(() => {
    if (!typed || isLeaving) return
    const timer = setTimeout(() => {
      askForTyped()
      setTyped(undefined)
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, isLeaving])
  return {
    query: view,
    total,
    page: Math.min(view.page, pages),
    pages,
    queryStringFor,
    updateQuery(change, options) {
      if (options?.replace) return setTyped({ ...typed, ...change })
      setTyped(undefined)
      updateQuery(change, options)
    },
  }
}

/** @param choices the same in each render */
function useListQuery(choices: FilterChoices | undefined): ListQuery {
  const [search] = useSearchParams()
  return useMemo(() => parseListQuery(search, choices), [search, choices])
}

function useListNavigation(view: ListQuery): Pick<PaginatedList, 'queryStringFor' | 'updateQuery'> {
  const navigate = useNavigate()
  const queryStringFor = (change: Partial<ListQuery>) => listQueryString({ ...view, page: 1, ...change })
  return {
    queryStringFor,
    // Whether a loader has to run is decided by the `shouldRevalidate` of the page.
    updateQuery: (change, { replace = false } = {}) =>
      void navigate({ search: queryStringFor(change) }, { replace, preventScrollReset: true, defaultShouldRevalidate: false }),
  }
}
