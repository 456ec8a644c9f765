import type { PageAddress } from '#platform/screens.ts'
import { listQuestion } from './list-question.ts'
import { excessOf } from './question-limits.ts'

type Screen = {
  /** what of a question it shows while the server renders it, in one spelling: each other question is another page to render and keep */
  shown: (question: URLSearchParams) => URLSearchParams
  /** the server renders the same for every id: what it shows is fetched by the browser of who is signed in */
  sameForEveryId?: true
}

const reading = (...names: string[]): Screen => ({
  shown(question) {
    const said = new URLSearchParams([...question].filter(([name]) => names.includes(name)))
    said.sort()
    return said
  },
})
const frame: Screen = { ...reading(), sameForEveryId: true }

/** Every address of `routes.ts`, with what its screen reads on the server. A name that is missing here is not seen by the server. */
export const screens: Record<string, Screen> = {
  '/': reading('signed-out'),
  '/home': reading('signed-out'),
  '/allproducts': { shown: listQuestion },
  '/compare': reading('id', 'rows'),
  '/products/:id': reading('quantity'),
  '/blogs': reading(),
  '/help': reading(),
  '/myportfolio': reading(),
  '/login': reading('from', 'refused'),
  '/login/google': reading(),
  '/register': reading('from'),
  '/reset-password': reading(),
  '/verify-email': reading(),
  '/purchase/:id': frame,
  '/dashboard': frame,
  '/dashboard/addreview': frame,
  '/dashboard/myorder': frame,
  '/dashboard/myorder/:id': frame,
  '/dashboard/payment/:id': frame,
  '/dashboard/overview': frame,
  '/dashboard/allusers': frame,
  '/dashboard/manageproducts': frame,
  '/dashboard/manageallorders': frame,
  '/dashboard/order/:id': frame,
  '/dashboard/reviews': frame,
  '/dashboard/addatool': frame,
  '/dashboard/import': frame,
  '/instrument/:id': frame,
  '/design': reading(),
}

/** No screen has it, so the server renders what it says of every address that is none, once for all of them. */
const notFound = '/not-found'

/** The same as a map: what a stranger writes into an address must not be looked up among the names that every object has. */
const byPattern = new Map(Object.entries(screens))

/** The screen of a path, and its address in `routes.ts`. */
function screenAt(path: string): { pattern: string; screen: Screen } | undefined {
  const pattern = byPattern.has(path) ? path : path.replace(/[^/]+$/, ':id')
  const screen = byPattern.get(pattern)
  return screen && { pattern, screen }
}

/** The data of a screen, which React Router's client fetches instead of the page: https://reactrouter.com/explanation/react-transitions calls it single fetch. */
const data = '.data'
const ofRoutes = '_routes'

/**
 * Which page an address of a request (`/path?question`) means. However it is spelled, there is one page for it, so that nobody fills the
 * cache or the processor with copies.
 */
export function pageAddress(url: string): PageAddress {
  const [, said = '', question = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  const path = spelled(said)
  if (path === undefined) return { refused: 'This is not an address' }
  const isData = path.endsWith(data)
  const ofScreen = isData ? path.slice(0, -data.length).replace(/\/_$/, '') || '/' : path
  const found = screenAt(ofScreen)
  if (!found) return { page: isData ? notFound + data : notFound, isScreen: false, isOneOfFew: true }
  if (path !== said && !isData) return { moved: path + new URL(`${here}/?${question}`).search }

  const asked = new URLSearchParams(question)
  const shown = found.screen.shown(asked)
  const routes = isData ? asked.get(ofRoutes) : null
  if (routes !== null) shown.append(ofRoutes, routes)
  const excess = excessOf(shown)
  if (excess) return { refused: excess.words }
  const own = found.screen.sameForEveryId ? found.pattern : ofScreen
  return {
    page: (isData ? (own === '/' ? `/_${data}` : own + data) : own) + (shown.size > 0 ? `?${shown}` : ''),
    isScreen: true,
    isOneOfFew: shown.size === 0 && own === found.pattern,
  }
}

/**
 * Whether a page is one of a product for sale, or of a category and nothing else: people come by these, and there are only as many as there
 * are products, while anybody can make up any number of others.
 */
export function isOfCatalogue(page: string, catalogue: { hasProduct(id: string): boolean; hasCategory(key: string): boolean }): boolean {
  const product = /^\/products\/([^/?.]+)(?:\.data)?$/.exec(page)?.[1]
  if (product) return catalogue.hasProduct(product)
  const category = /^\/allproducts(?:\.data)?\?category=([\w-]+)$/.exec(page)?.[1]
  return category !== undefined && catalogue.hasCategory(category)
}

const here = 'http://store.invalid'

/** Most addresses are written as they should be. */
const asItShouldBe = /^(?:\/|(?:\/[a-z0-9_-]+)+(?:\.data)?)$/

/**
 * A path in its one spelling: without `..`, doubled slashes and a slash at its end, in small letters, with nothing encoded that need not be.
 * @returns undefined when it cannot be decoded
 */
function spelled(path: string): string | undefined {
  if (asItShouldBe.test(path)) return path
  const collapsed = path.replace(/\/{2,}/g, '/')
  if (!collapsed.startsWith('/') || !URL.canParse(here + collapsed)) return undefined
  try {
    const parts = new URL(here + collapsed).pathname.split('/').map((part) => decodeURIComponent(part).toLowerCase())
    return `/${parts
      .filter((part) => part !== '')
      .map(encodeURIComponent)
      .join('/')}`
  } catch {
    return undefined // a % that encodes nothing
  }
}
