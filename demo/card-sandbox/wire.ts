import { randomBytes } from 'node:crypto'
import type { z } from 'zod'

/** The version of Stripe's API that this sandbox speaks; the one that stripe-node 23.1.0 asks for. */
export const API_VERSION = '2026-10-28.endive'

/** What a form-encoded body or a query says, in Stripe's bracket notation: `metadata[order_id]=7` is { metadata: { order_id: '7' } }. */
export type Form = { [name: string]: string | Form }

/** The `error` of Stripe's error bodies: https://docs.stripe.com/api/errors */
export type WireErrorBody = {
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

/** An answer as it goes over the wire. The body is text, because a replay must be the same byte for byte. */
export type Answer = { status: number; body: string }

/** A refusal in Stripe's shape. Thrown, it undoes what was begun and leaves the idempotency key unused. */
export class WireError extends Error {
  readonly status: number
  readonly error: WireErrorBody

  constructor(status: number, error: WireErrorBody) {
    super(error.message)
    this.status = status
    this.error = error.code ? { ...error, doc_url: docUrl(error.code) } : error
  }
}

export function invalid(message: string, more: { status?: number; code?: string; param?: string } = {}): WireError {
  const { status = 400, ...rest } = more
  return new WireError(status, { type: 'invalid_request_error', message, ...rest })
}

/** 404 where the path names the thing, 400 where a parameter does. */
export function missing(kind: string, id: string, param: string, status: 400 | 404 = 404): WireError {
  return invalid(`No such ${kind}: '${id}'`, { status, code: 'resource_missing', param })
}

export function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`
}

export function answer(status: number, content: object): Answer {
  return { status, body: JSON.stringify(content, null, 2) }
}

export function refusal(error: WireError): Answer {
  return answer(error.status, { error: error.error })
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`
}

/** Stripe's times are whole seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Reads Stripe's bracket notation; `a[]=x&a[]=y` and `a[0]=x&a[1]=y` are both { a: { 0: 'x', 1: 'y' } }. */
export function parseForm(encoded: string): Form {
  const form = emptyForm()
  for (const [name, value] of new URLSearchParams(encoded)) {
    const path = name.split('[').map((part) => part.replace(/\]$/, ''))
    // PostgreSQL's texts cannot hold it.
    if (name.includes('\0') || value.includes('\0')) throw invalid('Invalid request: a parameter contains a null character.')
    if (path.length > 6 || path.includes('__proto__'))
      throw invalid('Invalid request: a parameter is nested in a way that nothing here is.')
    let place = form
    for (const part of path.slice(0, -1)) {
      const inner = place[part]
      const next = typeof inner === 'object' ? inner : emptyForm()
      place[part] = next
      place = next
    }
    const last = path.at(-1) ?? name
    place[last === '' ? String(Object.keys(place).length) : last] = value
  }
  return form
}

/** A form has no prototype, so that no parameter's name can mean anything but itself. */
function emptyForm(): Form {
  return Object.create(null)
}

/** Parses parameters and refuses, in Stripe's words, those that are missing, wrong or unknown to this sandbox (400). */
export function parameters<Schema extends z.ZodType>(schema: Schema, form: Form): z.output<Schema> {
  const parsed = schema.safeParse({ ...form })
  if (parsed.success) return parsed.data

  const issue = parsed.error.issues[0]
  if (!issue) throw invalid('Invalid request.')
  const param = named(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const unknown = named([...issue.path, issue.keys[0] ?? ''])
    throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown })
  }
  if (valueAt(form, issue.path) === undefined) {
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  if (issue.code === 'custom') throw invalid(issue.message, typeof code === 'string' ? { code, param } : { param })
  if (issue.code === 'invalid_value') throw invalid(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, { param })
  throw invalid(`Invalid ${param}: ${issue.message}`, { param })
}

function named([first, ...rest]: PropertyKey[]): string {
  return [String(first ?? ''), ...rest.map((part) => `[${String(part)}]`)].join('')
}

function valueAt(form: Form, path: PropertyKey[]): string | Form | undefined {
  let value: string | Form | undefined = form
  for (const part of path) value = typeof value === 'object' ? value[String(part)] : undefined
  return value
}
