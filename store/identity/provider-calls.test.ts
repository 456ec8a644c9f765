import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttpApp } from '#platform/http.ts'
import { forwardSignInResponse } from './provider-calls.ts'

test('what the sign-in provider could not do is told as something to try again, what it refuses in words', async () => {
  const app = createHttpApp()
  let response = new Response()
  app.get('/', (_request, reply) => forwardSignInResponse(response, reply))
  for (const [given, status, code] of [
    [Response.json({ code: 'BROKEN' }, { status: 500 }), 503, 'unavailable'],
    [Response.json({ code: 'FAILED_TO_CREATE_USER' }, { status: 422 }), 503, 'unavailable'],
    [new Response('<html>', { status: 502 }), 503, 'unavailable'],
    [Response.json({ message: 'No' }, { status: 499 }), 499, 'invalid_request'],
  ] as const) {
    response = given
    const answer = await app.inject('/')
    assert.deepEqual([answer.statusCode, answer.json().code], [status, code])
  }
})
