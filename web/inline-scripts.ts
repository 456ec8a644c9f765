import { createHash, randomBytes } from 'node:crypto'

/** A word that nobody can guess, set as the nonce of our own inline scripts while one page is rendered. */
export const markInlineScripts = (): string => randomBytes(16).toString('base64url')

/**
 * Turns the marks into names: the hash of each marked script, as the page's Content-Security-Policy lists it, and the page without marks.
 * Kept pages cannot carry a nonce (it would be the same for everybody); a script that got into a page by other ways has no mark
 * and therefore no hash.
 */
export function nameInlineScripts(html: string, mark: string): { html: string; sources: string[] } {
  const marked = new RegExp(`<script(?=[^>]*\\snonce="${mark}")(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</script>`, 'g')
  const sources = [...html.matchAll(marked)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  )
  return { html: html.replaceAll(` nonce="${mark}"`, ''), sources: [...new Set(sources)] }
}
