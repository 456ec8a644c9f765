import { useEffect, useState } from 'react'
import { ApiError } from '#web/api-error.ts'

/** State of a request made by one section of a page. `data` keeps the previous response until the next one arrives. */
export type ApiQueryState<Answer> = {
  data: Answer | undefined
  error: ApiError | undefined
  isLoading: boolean
  /** repeats the request */
  reload(): void
}

type QueryState<Answer> = { key: string; answer?: Answer | undefined; error?: ApiError; busy: boolean }

/**
 * Requests the data of one section of a page, so that other sections neither wait for it nor fail with it.
 * @param load must be the same function on every render; called with `key`
 */
export function useApiQuery<Answer>(load: (key: string) => Promise<Answer>, key: string): ApiQueryState<Answer> {
  const [state, setState] = useState<QueryState<Answer>>({ key, busy: true })
  const [reloadCount, setReloadCount] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `reloadCount` repeats the request
  useEffect(() => {
    let stale = false
    setState((previous) => ({ ...previous, busy: true }))
    load(key).then(
      (answer) => stale || setState({ key, answer, busy: false }),
      (error) => {
        if (stale) return
        setState((previous) => {
          if (!(error instanceof ApiError)) throw error
          // Data of another key must not be displayed with this error.
          return { key, answer: previous.key === key ? previous.answer : undefined, error, busy: false }
        })
      },
    )
    return () => {
      stale = true
    }
  }, [load, key, reloadCount])

  return { data: state.answer, error: state.error, isLoading: state.busy, reload: () => setReloadCount(reloadCount + 1) }
}
