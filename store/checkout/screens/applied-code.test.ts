import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appliedCodeText } from './applied-code.ts'

test('where a discount code is applied it is said that the delivery costs more by it, or is no longer free', () => {
  const said = (beforeCents: number, deliveryCents: number) =>
    appliedCodeText('ten', { deliveryCentsWithoutCode: beforeCents, totals: { deliveryCents } })
  assert.equal(appliedCodeText('ten', undefined), 'TEN is applied')
  assert.equal(said(490, 490), 'TEN is applied')
  assert.equal(said(0, 490), 'TEN is applied. As the goods cost less with it, this delivery costs $4.90 and is no longer free')
  assert.equal(said(300, 490), 'TEN is applied. As the goods cost less with it, this delivery costs $4.90 instead of $3')
})
