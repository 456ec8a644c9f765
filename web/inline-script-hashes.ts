import { createHash, randomBytes } from 'node:crypto'

/** An unguessable nonce for our own inline scripts while one page is rendered. */
export const createInlineScriptNonce = (): string => randomBytes(16).toString('base64url')

/**
 * Returns the hash sources of all inline scripts with this nonce, for the page's Content-Security-Policy, and the HTML without nonces.
 * Cached pages cannot use a nonce, since it would be the same for all visitors. An injected script has no nonce and therefore gets no hash.
 * @param html a character for each byte (latin1)
 */
export function extractInlineScriptHashes(html: string, nonce: string): { html: string; sources: string[] } {
  const inlineScriptPattern = new RegExp(`<script(?=[^>]*\\snonce="${nonce}")(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</script>`, 'g')
  const sources = [...html.matchAll(inlineScriptPattern)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '', 'latin1')
        .digest('base64')}'`,
  )
  return { html: html.replaceAll(` nonce="${nonce}"`, ''), sources: [...new Set(sources)] }
}
