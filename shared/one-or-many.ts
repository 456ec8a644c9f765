import * as z from 'zod'

/** A query parameter that may be given once or several times, as an array. */
export const oneOrManySchema = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
