import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '#platform/http-error.ts'

const tokenCookie = 'nucleus.cart'
/** Readable by scripts: how many lines the cart has, for the navigation bar of cached pages. */
export const lineCountCookie = 'nucleus.cart-lines'
const maxAgeSeconds = 90 * 24 * 3600

export const createCartToken = (): string => randomBytes(24).toString('base64url')
export const hashCartToken = (token: string): string => createHash('sha256').update(`cart ${token}`).digest('base64url')

export const cartTokenOf = (cookies: string | undefined): string | undefined =>
  /(?:^|;\s*)nucleus\.cart=([\w-]{32})(?:;|$)/.exec(cookies ?? '')?.[1]

type CookieOptions = {
  /** a token that the browser does not have yet */
  token: string | undefined
  lineCount: number
  isSecure: boolean
}

/** Tells the browser its cart, for another 90 days, and how many lines that has. */
export function setCartCookies(reply: FastifyReply, { token, lineCount, isSecure }: CookieOptions): void {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`
  if (token) reply.header('set-cookie', `${tokenCookie}=${token}; HttpOnly; ${attributes}`)
  reply.header('set-cookie', `${lineCountCookie}=${lineCount}; ${attributes}`)
}

/** Makes the browser forget its cart. */
export function clearCartCookies(reply: FastifyReply): void {
  for (const name of [tokenCookie, lineCountCookie]) reply.header('set-cookie', `${name}=; Path=/; Max-Age=0; SameSite=Lax`)
}

/**
 * Refuses a change that a page of another site asks for with the visitor's cookie. `SameSite` keeps the cookie from being sent there;
 * this is for browsers that know only one of the two.
 * @throws {HttpError} 403
 */
export function assertFromThisSite({ headers }: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin, host } = headers
  const isOfOtherSite = site === undefined ? origin !== undefined && hostOf(origin) !== host : site === 'cross-site' || site === 'same-site'
  if (isOfOtherSite) throw new HttpError(403, 'Change the basket on its own page')
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
