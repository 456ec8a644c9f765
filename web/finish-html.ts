import { createHash, randomBytes } from 'node:crypto'

/** An unguessable nonce for our own inline scripts while one page is rendered. */
export const createInlineScriptNonce = (): string => randomBytes(16).toString('base64url')

/** The HTML of a stream has one, that of `renderToString` has none. */
const doctype = '<!DOCTYPE html>'
const [nonceAttribute, deferred] = [' nonce="', 'x-']
const marks = / nonce="|<link rel="(?=modulepreload")| type="(?=module")/g

/**
 * What the HTML that React has rendered lacks, its doctype included. In one pass over it, without a copy of it all in between:
 * - Returns the hash sources of all inline scripts with this nonce, for the page's Content-Security-Policy, and the page without nonces.
 *   Cached pages cannot use a nonce, since it would be the same for all visitors. An injected script has no nonce and therefore gets no hash.
 * - Renames the module preloads and the entry script, so that the browser ignores them until `loadScriptsAfterPaint` runs.
 * @param lastScript the text of another inline script, at the end of the body
 */
export function finishHtml(html: string, nonce: string, lastScript?: string): { page: Buffer<ArrayBuffer>; sources: string[] } {
  const pieces = html.startsWith(doctype) ? [] : [doctype]
  const sources = new Set<string>()
  let from = 0
  let script: TextRange | undefined
  for (const { 0: mark, index } of html.matchAll(marks)) {
    const end = index + mark.length
    if (script && index >= script.from && index < script.to) continue
    if (mark !== nonceAttribute) {
      pieces.push(html.slice(from, end), deferred)
      from = end
    } else if (html.startsWith(`${nonce}"`, end)) {
      pieces.push(html.slice(from, index))
      from = end + nonce.length + 1
      script = findInlineScript(html, index)
      if (script) sources.add(hashSource(html.slice(script.from, script.to)))
    }
  }
  if (lastScript !== undefined) {
    const end = html.lastIndexOf('</body>')
    if (end < from) throw new Error('The page does not end with </body>')
    pieces.push(html.slice(from, end), '<script>', lastScript, '</script>')
    sources.add(hashSource(lastScript))
    from = end
  }
  pieces.push(html.slice(from))
  return { page: encode(pieces), sources: [...sources] }
}

const hashSource = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** UTF-8 of these texts, one after the other, without a copy of them all in between. */
function encode(pieces: string[]): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let written = 0
  for (const piece of pieces) written += bytes.write(piece, written)
  return bytes
}

type TextRange = { from: number; to: number }

/** Where the text of the script is whose opening tag has an attribute there, unless the text is in a file of its own. */
function findInlineScript(html: string, attributeAt: number): TextRange | undefined {
  const tagEnd = html.indexOf('>', attributeAt)
  const tag = html.slice(html.lastIndexOf('<', attributeAt), tagEnd)
  return !tag.startsWith('<script') || /\ssrc=/.test(tag) ? undefined : { from: tagEnd + 1, to: html.indexOf('</script>', tagEnd) }
}
