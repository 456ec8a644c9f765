import * as z from 'zod'

/**
 * A field of the specification that the server does not read. Arrays and objects are dropped: one nested 100,000 deep is valid JSON, and
 * `JSON.stringify` throws on it. Other values stay, because the hash of an order request, by which an Idempotency-Key recognizes the same
 * request, has always been computed with them.
 */
export const ignoredField = z
  .unknown()
  .transform((value) => (typeof value === 'object' && value !== null ? undefined : value))
  .optional()
