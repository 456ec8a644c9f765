import { createHash, randomBytes } from 'node:crypto'

/** An unguessable nonce for our own inline scripts while one page is rendered. */
export const createInlineScriptNonce = (): string => randomBytes(16).toString('base64url')

/**
 * Returns the hash sources of all inline scripts with this nonce, for the page's Content-Security-Policy, and the HTML without nonces.
 * Cached pages cannot use a nonce, since it would be the same for all visitors. An injected script has no nonce and therefore gets no hash.
 */
export function extractInlineScriptHashes(html: string, nonce: string): { html: string; sources: string[] } {
  const parts = html.split(` nonce="${nonce}"`) // each but the first begins within the tag that had the nonce
  const sources = parts.slice(1).flatMap((part, index) => {
    const tagEnd = part.indexOf('>')
    const before = parts[index] ?? ''
    const tag = before.slice(before.lastIndexOf('<')) + part.slice(0, tagEnd)
    if (!tag.startsWith('<script') || /\ssrc=/.test(tag)) return []
    const script = part.slice(tagEnd + 1, part.indexOf('</script>', tagEnd))
    return [`'sha256-${createHash('sha256').update(script).digest('base64')}'`]
  })
  return { html: parts.join(''), sources: [...new Set(sources)] }
}
