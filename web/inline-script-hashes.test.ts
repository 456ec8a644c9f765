import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createInlineScriptNonce, extractInlineScriptHashes } from './inline-script-hashes.ts'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

test('our own inline scripts are named by their hash, and no mark stays in the page', () => {
  const mark = createInlineScriptNonce()
  const page = `<script nonce="${mark}">one()</script><script type="module" nonce="${mark}" async="">two()</script><script src="/a.js" nonce="${mark}"></script>`

  const { html, sources } = extractInlineScriptHashes(page, mark)

  assert.deepEqual(sources, [hashOf('one()'), hashOf('two()')])
  assert.equal(html, '<script>one()</script><script type="module" async="">two()</script><script src="/a.js"></script>')
})

test('the hash of a script is that of its bytes, whatever characters it has', () => {
  const mark = createInlineScriptNonce()
  const script = 'say("25 °C – 精")'
  const { html, sources } = extractInlineScriptHashes(`<script nonce="${mark}">${script}</script>`, mark)
  assert.deepEqual([sources, html], [[hashOf(script)], `<script>${script}</script>`])
})

test('a script that came into the page by other ways is not named', () => {
  const mark = createInlineScriptNonce()
  const { sources } = extractInlineScriptHashes(
    `<script>evil()</script><script nonce="guess">evil()</script><script nonce="${mark}">ours()</script>`,
    mark,
  )
  assert.deepEqual(sources, [hashOf('ours()')])
})
