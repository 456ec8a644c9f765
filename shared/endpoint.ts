import * as z from 'zod'
import { errorCodes } from './error-codes.ts'

// The Content-Security-Policy forbids eval. Without `jitless`, zod tries it on load as an optimization, which reports a violation.
if ('document' in globalThis) z.config({ jitless: true })

/** One endpoint of the JSON API as a plain object, spread into a Fastify route on the server and used by `callApi` in the browser. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  schema: {
    summary: string
    description?: string
    tags: string[]
    security?: { token: string[] }[]
    params?: z.ZodType
    querystring?: z.ZodType
    body?: z.ZodType
    headers?: z.ZodType
    response: ({ 200: z.ZodType } | { 201: z.ZodType }) & { default: typeof ErrorResponse }
  }
}

export const ErrorCode = z.enum(errorCodes)

/** Body of every response that is not 2xx: a message for the user, one for each invalid field, and the code for programs. */
export const ErrorResponse = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.string()).optional(),
    code: ErrorCode,
    lines: z
      .array(
        z.object({
          productId: z.string(),
          asked: z.int(),
          available: z.int(),
          incoming: z
            .object({ quantity: z.int(), date: z.iso.date() })
            .optional()
            .meta({ description: 'how many more arrive on which day, where that is known' }),
        }),
      )
      .optional()
      .meta({ description: 'of an order with the code "stock_too_low": the lines of which less is in stock' }),
    totalCents: z.int().optional().meta({ description: 'of an order with the code "total_changed": what it costs now' }),
  })
  .meta({ description: 'Refused or failed: what happened, in words meant for the reader' })
export type ErrorResponse = z.infer<typeof ErrorResponse>

/** OpenAPI security requirement of endpoints that need the access token as a bearer token. */
export const bearerAuth = [{ token: [] }]
