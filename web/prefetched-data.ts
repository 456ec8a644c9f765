/** For how long what was fetched ahead is taken for what the server would say now. */
const freshMs = 10_000

type Answer = { response: Promise<Response | undefined>; askedAt: number }
const answers = new Map<string, Answer>()

/**
 * Fetches the data of a page to which the visitor seems about to go, whole, so that the press that opens it waits for no network and no file of
 * the browser's cache. vite.config.ts calls it where React Router would add a `<link rel="prefetch">`.
 * @param path of the data, with its query
 */
export function prefetchData(path: string): void {
  const url = new URL(path, location.origin)
  url.searchParams.delete('index') // as React Router does at the press, which writes the whole query anew: `%20` is `+` then
  const key = keyOf(url)
  if (findFresh(key)) return
  const answer = { response: fetchWhole(key), askedAt: Date.now() }
  answers.set(key, answer)
  setTimeout(() => answers.get(key) === answer && answers.delete(key), freshMs)
}

/** @returns what was fetched ahead, once and while it is fresh; undefined where nothing is, which is to be fetched now */
export function takePrefetchedData(url: URL): Answer['response'] | undefined {
  const answer = findFresh(keyOf(url))
  answers.delete(keyOf(url))
  return answer?.response
}

/** Whatever was fetched ahead may say otherwise now: the visitor has changed something. */
export const forgetPrefetchedData = (): void => answers.clear()

const keyOf = ({ pathname, search }: URL) => pathname + search

/** By the clock: timers stand still while a phone shows something else. */
function findFresh(key: string): Answer | undefined {
  const answer = answers.get(key)
  return answer && Date.now() - answer.askedAt < freshMs ? answer : undefined
}

async function fetchWhole(path: string): Answer['response'] {
  try {
    const response = await fetch(path, { priority: 'low' })
    // a basket, say, may change before it is opened
    const isKept = response.ok && !response.headers.get('cache-control')?.includes('no-store')
    if (isKept) return new Response(await response.text(), response)
    await response.body?.cancel()
  } catch {} // fetched again when it is opened, it says what is wrong
}
