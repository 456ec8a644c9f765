import type { ResolvedUrl } from '#platform/screens.ts'
import { canonicalProductListQuery, preferredLookParam } from '#shared/canonical-product-list-query.ts'
import { findExceededQueryLimit } from '#shared/query-limits.ts'

type ScreenCacheRule = {
  /** the query parameters used by server rendering, in canonical form: each distinct result is a separate page to render and cache */
  canonicalQuery: (query: URLSearchParams) => URLSearchParams
  /** server rendering is the same for every id: the data are fetched in the browser of the signed-in user */
  isSameForEveryId?: true
  /** rendered for one visitor by their cookies, and never cached */
  isPersonal?: true
}

const keepsParams = (...names: string[]): ScreenCacheRule => ({
  canonicalQuery(query) {
    const params = new URLSearchParams([...query].filter(([name]) => names.includes(name)))
    params.sort()
    return params
  },
})
/** The only value that the home page reads: `signedOutOfOrdersUrl` leads there. */
const homePage: ScreenCacheRule = {
  canonicalQuery: (query) => new URLSearchParams(query.get('signed-out') === 'orders' ? { 'signed-out': 'orders' } : {}),
}
/** Each id once, in their order, and the only value of `rows` that the page reads. */
const comparison: ScreenCacheRule = {
  canonicalQuery: (query) =>
    new URLSearchParams([
      ...[...new Set(query.getAll('id'))].filter((id) => id !== '').map((id) => ['id', id]),
      ...(query.get('rows') === 'differences' ? [['rows', 'differences']] : []),
    ]),
}
/** Numbers of stars, and the cursors that the page itself has in its links. */
const productReviews: ScreenCacheRule = {
  canonicalQuery(query) {
    const [stars, cursor] = [query.get('stars') ?? '', query.get('cursor') ?? '']
    return new URLSearchParams({ ...(/^[1-5]$/.test(stars) && { stars }), ...(/^[1-9]\d{0,8}$/.test(cursor) && { cursor }) })
  },
}
const personal = (...names: string[]): ScreenCacheRule => ({ ...keepsParams(...names), isPersonal: true })
const clientRendered: ScreenCacheRule = { ...keepsParams(), isSameForEveryId: true }

/** Every path of `routes.ts` with the query parameters its page reads on the server. Parameters not listed here are dropped. */
export const screenCacheRules: Record<string, ScreenCacheRule> = {
  '/': homePage,
  '/home': homePage,
  '/allproducts': { canonicalQuery: canonicalProductListQuery },
  '/compare': comparison,
  '/products/:id': keepsParams('quantity'),
  '/products/:id/reviews': productReviews,
  '/cart': personal('refused', 'pasted', 'product', 'quantity', 'country', 'state', 'postalCode', 'tax'),
  '/cart/shared/:id': keepsParams(),
  '/checkout': personal('refused'),
  '/blogs': keepsParams(),
  '/help': keepsParams(),
  '/myportfolio': keepsParams(),
  '/login': keepsParams('from', 'refused'),
  '/login/google': keepsParams(),
  '/register': keepsParams('from'),
  '/reset-password': keepsParams(),
  '/verify-email': keepsParams(),
  '/order/:id': clientRendered,
  '/withdraw/:id': personal('step', 'refused'),
  '/purchase/:id': clientRendered,
  '/dashboard': clientRendered,
  '/dashboard/addreview': clientRendered,
  '/dashboard/review/:id': clientRendered,
  '/dashboard/myorder': clientRendered,
  '/dashboard/on-account': clientRendered,
  '/dashboard/myorder/:id': clientRendered,
  '/dashboard/payment/:id': clientRendered,
  '/dashboard/overview': clientRendered,
  '/dashboard/allusers': clientRendered,
  '/dashboard/changedprofiles': clientRendered,
  '/dashboard/manageproducts': clientRendered,
  '/dashboard/manageallorders': clientRendered,
  '/dashboard/order/:id': clientRendered,
  '/dashboard/tosend': clientRendered,
  '/dashboard/send/:id': clientRendered,
  '/dashboard/returns': clientRendered,
  '/dashboard/reviews': clientRendered,
  '/dashboard/addatool': clientRendered,
  '/dashboard/prices': clientRendered,
  '/dashboard/import': clientRendered,
  '/dashboard/receivables': clientRendered,
  '/dashboard/seller': clientRendered,
  '/dashboard/bank': clientRendered,
  '/dashboard/tax': clientRendered,
  '/dashboard/delivery': clientRendered,
  '/company': clientRendered,
  '/company/invitations/:id': clientRendered,
  '/instrument/:id': clientRendered,
  '/design': keepsParams(),
}

/** Not a route: rendered and cached once as the not-found page for all unknown paths. */
const notFoundPage = '/not-found'

/**
 * The longest path of a page is under 100 characters, and the router takes no parameter of more than 400 (`maxParamLength`). A longer path is
 * resolved before any work that grows with its length, because anybody can send one before any limit counts.
 */
const maxPathCharacters = 400

/** As a Map, because a path from a request must not match properties of `Object.prototype`. */
const screensByPattern = new Map(Object.entries(screenCacheRules))

/** The cache rule of a path and its pattern in `routes.ts`. */
function findScreen(path: string): { pattern: string; screen: ScreenCacheRule } | undefined {
  const last = path.lastIndexOf('/')
  const beforeLast = path.lastIndexOf('/', last - 1)
  const patterns = [path, `${path.slice(0, last + 1)}:id`, `${path.slice(0, beforeLast + 1)}:id${path.slice(last)}`]
  const pattern = patterns.find((one) => screensByPattern.has(one))
  const screen = screensByPattern.get(pattern ?? '')
  return pattern !== undefined && screen ? { pattern, screen } : undefined
}

/** Suffix of loader data requests by React Router's client ("single fetch", https://reactrouter.com/explanation/react-transitions). */
const dataSuffix = '.data'
const routesParam = '_routes'

/**
 * Resolves the URL of a request (`/path?query`) to a page. All spellings of a URL resolve to one page, so that nobody can fill the cache or
 * load the CPU with copies.
 * @param cookie of the visitor, who may prefer a look of lists: each of the two is a page of its own
 */
export function resolveUrl(url: string, cookie?: string): ResolvedUrl {
  const [rawPath = '', query = ''] = splitAtFirst(url, '?')
  if (rawPath.length > maxPathCharacters) return notFound(rawPath.endsWith(dataSuffix))
  const path = canonicalizePath(rawPath)
  if (path === undefined) return { errorMessage: 'This is not an address' }
  const isData = path.endsWith(dataSuffix)
  const pagePath = isData ? pagePathOfData(path) : path
  const found = findScreen(pagePath)
  if (!found) return notFound(isData)
  if (path !== rawPath && !isData) return { redirectTo: path + new URL(`${placeholderOrigin}/?${query}`).search }

  const searchParams = new URLSearchParams(query)
  const canonicalParams = found.screen.canonicalQuery(searchParams)
  const routes = isData ? searchParams.get(routesParam) : null
  if (routes !== null) canonicalParams.append(routesParam, routes)
  const isStaticPath = canonicalParams.size === 0 && (found.screen.isSameForEveryId || pagePath === found.pattern)
  const excess = findExceededQueryLimit(canonicalParams)
  if (excess) return { errorMessage: excess.message }
  const look = found.pattern === listPath && !canonicalParams.has('look') && preferredLook(cookie)
  if (look) canonicalParams.append(preferredLookParam, look)
  const canonicalPath = found.screen.isSameForEveryId ? found.pattern : pagePath
  return {
    canonicalUrl:
      (isData ? (canonicalPath === '/' ? `/_${dataSuffix}` : canonicalPath + dataSuffix) : canonicalPath) +
      (canonicalParams.size > 0 ? `?${canonicalParams}` : ''),
    isScreen: true,
    isPersonal: found.screen.isPersonal ?? false,
    isStaticPath,
  }
}

const listPath = '/allproducts'

const preferredLook = (cookie = ''): string | undefined => /(?:^|; *)nucleus\.look=(cards|table)(?:;|$)/.exec(cookie)?.[1]

/** Whether the page of a list is kept under another address than this: by the look in the cookie, which an address itself cannot choose. */
export const isOtherPageByCookie = (url: string, cookie: string | undefined): boolean =>
  url.startsWith(listPath) && (preferredLook(cookie) !== undefined || url.includes(`${preferredLookParam}=`))

const notFound = (isData: boolean): ResolvedUrl => ({
  canonicalUrl: isData ? notFoundPage + dataSuffix : notFoundPage,
  isScreen: false,
  isPersonal: false,
  isStaticPath: true,
})

/** The page whose data this path requests: `/home.data`, `/home/.data` and `/home/_.data` are all those of `/home`. */
function pagePathOfData(path: string): string {
  let page = path.slice(0, -dataSuffix.length)
  if (page.endsWith('/_')) page = page.slice(0, -1)
  return page.length > 1 && page.endsWith('/') ? page.slice(0, -1) : page
}

function splitAtFirst(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/**
 * Whether a page is that of a product for sale, or of a category without other filters. Most visitors enter on these pages, and their
 * number is limited by the catalogue, while the number of other URLs is unlimited.
 */
export function isCataloguePage(page: string, catalogue: { hasProduct(id: string): boolean; hasCategory(key: string): boolean }): boolean {
  const product = /^\/products\/([^/?.]+)(?:\.data)?$/.exec(page)?.[1]
  if (product) return catalogue.hasProduct(product)
  const category = /^\/allproducts(?:\.data)?\?category=([\w-]+)(?:&preferred-look=\w+)?$/.exec(page)?.[1]
  return category !== undefined && catalogue.hasCategory(category)
}

const placeholderOrigin = 'http://store.invalid'

/** Fast path: most request paths are already canonical. */
const canonicalPathPattern = /^(?:\/|(?:\/[a-z0-9_-]+)+(?:\.data)?)$/

/**
 * The canonical form of a path: lower case, without `..`, repeated slashes, a trailing slash and unnecessary percent-encoding.
 * @returns undefined when it cannot be decoded
 */
function canonicalizePath(path: string): string | undefined {
  if (canonicalPathPattern.test(path)) return path
  const collapsed = path.replace(/\/{2,}/g, '/')
  if (!collapsed.startsWith('/') || !URL.canParse(placeholderOrigin + collapsed)) return undefined
  try {
    const parts = new URL(placeholderOrigin + collapsed).pathname.split('/').map((part) => decodeURIComponent(part).toLowerCase())
    return `/${parts
      .filter((part) => part !== '')
      .map(encodeURIComponent)
      .join('/')}`
  } catch {
    return undefined // invalid percent-encoding
  }
}
