import * as z from 'zod'

// In a browser the pages' rules forbid code that is made from text: zod would try it for speed, at once, and break them each time.
if ('document' in globalThis) z.config({ jitless: true })

/** One call of the JSON API as a plain object: Fastify spreads it into a route, the browser's `send` reads it. */
export type Call = {
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
    response: ({ 200: z.ZodType } | { 201: z.ZodType }) & { default: typeof Refused }
  }
}

/** Every answer that is not 2xx: a sentence for the reader, and one for each field that is to blame. */
export const Refused = z
  .object({
    message: z.string(),
    errors: z.record(z.string(), z.string()).optional(),
    code: z.string().optional().meta({ description: 'which refusal it is, where several share a status' }),
  })
  .meta({ description: 'Refused or failed: what happened, in words meant for the reader' })
export type Refused = z.infer<typeof Refused>

/** Marks a call that wants the access token as a bearer. */
export const withToken = [{ token: [] }]
