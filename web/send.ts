import type { z } from 'zod'
import type { Call } from '#store/call.ts'
import type { Door } from './door.ts'
import { Refusal } from './refusal.ts'
import { token } from './token.ts'

type Part<C extends Call, K extends keyof C['schema']> = C['schema'][K] extends z.ZodType ? z.input<C['schema'][K]> : never
type Input<C extends Call> = { [K in keyof C['schema'] & ('params' | 'querystring' | 'body')]: Part<C, K> } & {
  /** sent as the `Idempotency-Key` header: the same key again is the same act */
  idempotencyKey?: string
  /** sent as it is instead of a body, to the calls that take a file */
  file?: Blob
}
type Answer<C extends Call> = C['schema']['response'] extends { 201: infer A extends z.ZodType }
  ? z.output<A>
  : C['schema']['response'] extends { 200: infer A extends z.ZodType }
    ? z.output<A>
    : never

const network: Door = (path, request) => fetch(path, { ...request, headers: { ...token.header(), ...request.headers } }).catch(unreached)

/** For what is fetched, `fetch(...).catch(unreached)`: no answer at all is a refusal, too. */
export function unreached(): never {
  throw new Refusal(0, { message: 'The store cannot be reached. Check your connection and try again.' })
}

/** Where a call goes. In the browser it is enough: the schemas of a contract weigh more than most screens. */
type Address<C extends Call> = Pick<C, 'method' | 'url'>

/**
 * The only way from a screen to the API: fetch with the access token in the browser, the door of the loader's context on the server.
 * @returns what the call's contract promises for 2xx
 * @throws {Refusal} on every other answer, and when the store cannot be reached
 */
export async function send<C extends Call>(call: C | Address<C>, input: Input<C>, door: Door = network): Promise<Answer<C>> {
  const { params = {}, querystring = {}, body, idempotencyKey, file } = input as Loose
  const path = call.url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(querystring).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, `${one}`]])),
  )
  const query = new URLSearchParams(asked).toString()

  const response = await door(`/api${path}${query && `?${query}`}`, {
    method: call.method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(file && { 'content-type': 'application/octet-stream' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file && { body: file }),
  })
  if (response.ok) return response.json()
  throw new Refusal(response.status, await response.json().catch(() => ({ message: 'Something went wrong on our side. Try again.' })))
}

/** For loaders, `send(...).catch(orNotFound)`: what does not exist is the not-found page, not trouble. */
export function orNotFound(refusal: unknown): never {
  throw refusal instanceof Refusal && refusal.status === 404 ? new Response(null, { status: 404 }) : refusal
}

type Asked = string | number | undefined
type Loose = {
  params?: Record<string, string>
  querystring?: Record<string, Asked | Asked[]>
  body?: unknown
  idempotencyKey?: string
  file?: Blob
}
