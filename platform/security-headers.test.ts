import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts'

test('a store behind https tells browsers to come by https only, one without does not', () => {
  assert.deepEqual(
    [true, false].map((https) => securityHeaders(https)['strict-transport-security']),
    ['max-age=31536000; includeSubDomains', undefined],
  )
})

test('a page runs its own scripts and those of the card provider, and stands in no frame', () => {
  const policy = contentSecurityPolicy("'sha256-x'", {
    script: 'https://cards/s',
    frames: 'https://cards/f',
    calls: 'https://cards/c',
  }).split('; ')
  for (const directive of [
    "script-src 'self' 'sha256-x' https://cards/s",
    "connect-src 'self' https://cards/c",
    'frame-src https://cards/f',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.includes(directive), directive)
  assert.equal(securityHeaders(false)['x-frame-options'], 'DENY')
})
