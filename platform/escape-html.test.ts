import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from './escape-html.ts'

test('a text is shown as it is, in an element and within an attribute of double quotes', () => {
  assert.equal(escapeHtml(`<b title="x">Tom & Ann's</b>`), `&#60;b title=&#34;x&#34;&#62;Tom &#38; Ann's&#60;/b&#62;`)
})
