import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createInlineScriptNonce, finishHtml } from './finish-html.ts'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** The text of what becomes of this HTML in which each NONCE is the page's own, without its first line, and the hash sources of its scripts. */
function finish(html: string, lastScript?: string): [page: string, sources: string[]] {
  const nonce = createInlineScriptNonce()
  const { page, sources } = finishHtml(html.replaceAll('NONCE', nonce), nonce, lastScript)
  const [, rest] = page.toString().match(/^<!DOCTYPE html>(.*)$/s) ?? []
  assert.ok(rest !== undefined && !rest.includes(`"${nonce}"`), 'a page with a doctype and without nonces')
  return [rest, sources]
}

test('our own inline scripts are named by their hash, and no mark stays in the page', () => {
  const [page, sources] = finish(
    '<script nonce="NONCE">one()</script><script nonce="NONCE" type="module" async="">two()</script><script src="/a.js" nonce="NONCE"></script>',
  )
  assert.deepEqual(sources, [hashOf('one()'), hashOf('two()')])
  assert.equal(page, '<script>one()</script><script type="x-module" async="">two()</script><script src="/a.js"></script>')
})

test('the hash of a script is that of its bytes, whatever characters it has', () => {
  const script = 'say("25 °C – 精")'
  assert.deepEqual(finish(`<p>精</p><script nonce="NONCE">${script}</script>`), [`<p>精</p><script>${script}</script>`, [hashOf(script)]])
})

test('a script that came into the page by other ways is not named', () => {
  const [, sources] = finish(
    '<script>evil()</script><script nonce="guess">evil()</script><script nonce="NONCE1">evil()</script><script nonce="NONCE">ours()</script>',
  )
  assert.deepEqual(sources, [hashOf('ours()')])
})

test('modules are named so that no browser loads them before the first paint, and what scripts say stays as it is', () => {
  const script = `write('<link rel="modulepreload">', '<script type="module">', ' nonce="guess"')`
  const style = '<link rel="stylesheet" href="/a.css"><link rel="modulepreloads"><script type="modules"></script>'
  const [page, sources] = finish(
    `${style}<link rel="modulepreload" href="/a.js" nonce="NONCE"><script nonce="NONCE">${script}</script><script type="module" async="">a()</script>`,
  )
  assert.equal(
    page,
    `${style}<link rel="x-modulepreload" href="/a.js"><script>${script}</script><script type="x-module" async="">a()</script>`,
  )
  assert.deepEqual(sources, [hashOf(script)])
})

test('a page of a stream keeps its first line, and a last script comes to the end of the body, named, too', () => {
  const body = `<body><script>one("</body>")</script><p></p>`
  const [page, sources] = finish(`<!DOCTYPE html>${body.replace('<script', '<script nonce="NONCE"')}</body>`, 'last("…")')
  assert.equal(page, `${body}<script>last("…")</script></body>`)
  assert.deepEqual(sources, [hashOf('one("</body>")'), hashOf('last("…")')])
  for (const html of ['<p>', '<body></body><script nonce="NONCE">behind()</script>'])
    assert.throws(() => finish(html, 'last()'), /does not end with <\/body>/)
})
