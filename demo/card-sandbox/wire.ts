import { randomBytes } from 'node:crypto'
import type { z } from 'zod'

/** The Stripe API version of this sandbox, as used by stripe-node 23.1.0. */
export const API_VERSION = '2026-10-28.endive'

/** A parsed form body or query in Stripe's bracket notation: `metadata[order_id]=7` is { metadata: { order_id: '7' } }. */
export type FormParameters = { [name: string]: string | FormParameters }

/** The `error` of Stripe's error bodies: https://docs.stripe.com/api/errors */
export type StripeErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  doc_url?: string
  payment_intent?: object
  payment_method?: object
}

/** A serialized response. The body is text, because a replay must be identical byte for byte. */
export type ApiResponse = { status: number; body: string }

/** A Stripe API error. When thrown, the transaction is rolled back and the idempotency key stays unused. */
export class StripeApiError extends Error {
  readonly status: number
  readonly error: StripeErrorBody

  constructor(status: number, error: StripeErrorBody) {
    super(error.message)
    this.status = status
    this.error = error.code ? { ...error, doc_url: docUrl(error.code) } : error
  }
}

export function invalidRequestError(message: string, more: { status?: number; code?: string; param?: string } = {}): StripeApiError {
  const { status = 400, ...rest } = more
  return new StripeApiError(status, { type: 'invalid_request_error', message, ...rest })
}

/** 404 for an id in the path, 400 for an id in a parameter. */
export function resourceMissingError(kind: string, id: string, param: string, status: 400 | 404 = 404): StripeApiError {
  return invalidRequestError(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param })
}

export function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`
}

export function jsonResponse(status: number, content: object): ApiResponse {
  return { status, body: JSON.stringify(content, null, 2) }
}

export function errorResponse(error: StripeApiError): ApiResponse {
  return jsonResponse(error.status, { error: error.error })
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export function randomString(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export function newId(prefix: string): string {
  return `${prefix}_${randomString(24)}`
}

/** Stripe timestamps are Unix seconds. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Parses Stripe's bracket notation: `a[]=x&a[]=y` and `a[0]=x&a[1]=y` are both { a: { 0: 'x', 1: 'y' } }. */
export function parseForm(encoded: string): FormParameters {
  const form = emptyForm()
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    // PostgreSQL's text type cannot store NUL.
    if (name.includes('\0') || value.includes('\0')) throw invalidRequestError('Invalid request: a parameter contains a null character.')
    if (path.length > 6 || path.includes('__proto__'))
      throw invalidRequestError('Invalid request: a parameter is nested in a way that nothing here is.')
    let target = form
    for (const part of path.slice(0, -1)) {
      const inner = target[part]
      const next = typeof inner === 'object' ? inner : emptyForm()
      target[part] = next
      target = next
    }
    const last = path.at(-1) ?? name
    target[last === '' ? String(Object.keys(target).length) : last] = value
  }
  return form
}

/** Without a prototype, so that parameter names cannot collide with inherited properties. */
function emptyForm(): FormParameters {
  return Object.create(null)
}

/** Validates parameters. @throws 400 with Stripe's message for missing, invalid and unknown parameters */
export function parseParameters<Schema extends z.ZodType>(schema: Schema, form: FormParameters): z.output<Schema> {
  const parsed = schema.safeParse({ ...form })
  if (parsed.success) return parsed.data

  const issue = parsed.error.issues[0]
  if (!issue) throw invalidRequestError('Invalid request.')
  const param = bracketName(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = bracketName([...issue.path, issue.keys[0] ?? ''])
    throw invalidRequestError(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  }
  if (valueAt(form, issue.path) === undefined) {
    throw invalidRequestError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  if (issue.code === 'custom') throw invalidRequestError(issue.message, typeof code === 'string' ? { code, param } : { param })
  if (issue.code === 'invalid_value')
    throw invalidRequestError(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, { param })
  throw invalidRequestError(`Invalid ${param}: ${issue.message}`, { param })
}

function bracketName([first, ...rest]: PropertyKey[]): string {
  return [String(first ?? ''), ...rest.map((part) => `[${String(part)}]`)].join('')
}

function valueAt(form: FormParameters, path: PropertyKey[]): string | FormParameters | undefined {
  let value: string | FormParameters | undefined = form
  for (const part of path) value = typeof value === 'object' ? value[String(part)] : undefined
  return value
}

/** An amount in the words of an error: 1250 of usd is $12.50. */
export const formatAmount = (cents: number, currency: string): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency })
