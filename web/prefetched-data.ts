/** For how long what was fetched ahead is taken for what the server would say now. */
const freshMs = 10_000

type Answer = Promise<Response | undefined>
const answers = new Map<string, Answer>()

/**
 * Fetches the data of a page to which the visitor seems about to go, whole, so that the press that opens it waits for no network and no file of
 * the browser's cache. vite.config.ts calls it where React Router would add a `<link rel="prefetch">`.
 * @param path of the data, as React Router will ask for it, with its query
 */
export function prefetchData(path: string): void {
  if (answers.has(path)) return
  answers.set(path, fetchWhole(path))
  setTimeout(() => answers.delete(path), freshMs)
}

/** @returns what was fetched ahead, once and while it is fresh; undefined where nothing is, which is to be fetched now */
export function takePrefetchedData({ pathname, search }: URL): Answer | undefined {
  const answer = answers.get(pathname + search)
  answers.delete(pathname + search)
  return answer
}

async function fetchWhole(path: string): Answer {
  try {
    const response = await fetch(path)
    // a basket, say, may change before it is opened
    const isKept = response.ok && !response.headers.get('cache-control')?.includes('no-store')
    return isKept ? new Response(await response.text(), response) : undefined
  } catch {
    return undefined // fetched again when it is opened, it says what is wrong
  }
}
