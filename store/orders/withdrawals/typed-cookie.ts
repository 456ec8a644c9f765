import { TypedWithdrawal } from './contract.ts'

const cookieName = 'nucleus.withdrawal'
const maxAgeSeconds = 3600
/** Browsers keep cookies of up to 4096 bytes. */
const maxCharacters = 3600
/** Enough of an id to tell the lines of one order apart. */
const shortIdCharacters = 8

type Kept = [token: string, name: string, email: string, pieces: Record<string, string>]

/**
 * The header by which a browser remembers for an hour what was typed on the page of a withdrawal, between its two steps and when something was
 * wrong. Only that page is sent it.
 */
export function typedCookie(token: string, { name, email, pieces }: TypedWithdrawal, { isSecure }: { isSecure: boolean }): string {
  const shortPieces = Object.fromEntries(Object.entries(pieces).map(([id, typed]) => [id.slice(0, shortIdCharacters), typed]))
  const kept: Kept = [token.slice(-shortIdCharacters), name, email, shortPieces]
  const value = Buffer.from(JSON.stringify(kept)).toString('base64url')
  const attributes = `HttpOnly; Path=/withdraw; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return value.length > maxCharacters
    ? `${cookieName}=; ${attributes}; Max-Age=0`
    : `${cookieName}=${value}; ${attributes}; Max-Age=${maxAgeSeconds}`
}

/** With the beginnings of the ids of lines; undefined where this browser has typed nothing on the page of this token. */
function keptBefore(cookies: string | undefined, token: string): TypedWithdrawal | undefined {
  const value = /(?:^|;\s*)nucleus\.withdrawal=([\w-]+)(?:;|$)/.exec(cookies ?? '')?.[1]
  if (value === undefined) return undefined
  try {
    const [of, name, email, pieces] = JSON.parse(Buffer.from(value, 'base64url').toString()) as unknown[]
    if (of !== token.slice(-shortIdCharacters)) return undefined
    return TypedWithdrawal.safeParse({ name, email, pieces }).data
  } catch {
    return undefined // made by somebody else
  }
}

/** What this browser has typed on the page of this token, by the ids of these lines. */
export function typedBefore(cookies: string | undefined, token: string, lineIds: string[]): TypedWithdrawal | undefined {
  const kept = keptBefore(cookies, token)
  if (!kept) return undefined
  const pieces = Object.entries(kept.pieces).flatMap(([short, typed]) =>
    lineIds.filter((id) => id.startsWith(short)).map((id) => [id, typed]),
  )
  return { ...kept, pieces: Object.fromEntries(pieces) }
}
