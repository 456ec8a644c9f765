import { safeReturnUrl } from './return-url.ts'

/*
 * The page that has asked somebody to verify their e-mail. The link in the mail opens in a tab of its own, so it is kept for all tabs of the
 * browser, with the e-mail: another account may be signed in by then.
 */

type VerificationOrigin = { email: string; path: string; atMs: number }

const key = 'verificationOrigin'
const maxAgeMs = 24 * 3600 * 1000

export function rememberVerificationOrigin(email: string, path: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ email, path, atMs: Date.now() } satisfies VerificationOrigin))
  } catch {} // a browser that stores nothing only lacks the way back
}

/** Where this e-mail was asked for within a day; undefined where it was not. */
export function findVerificationOrigin(email: string): string | undefined {
  try {
    const origin: VerificationOrigin | null = JSON.parse(localStorage.getItem(key) ?? 'null')
    if (origin?.email !== email || Date.now() - origin.atMs > maxAgeMs) return undefined
    return safeReturnUrl(origin.path)
  } catch {
    return undefined
  }
}
