import * as z from 'zod'

/** A day such as 2026-11-24. @param first the first one that is accepted: what is before it is a typing error */
export const daySchema = (first: string) =>
  z.iso.date('Enter a day such as 2026-11-24').refine((day) => day >= first, `Enter a day from ${first.slice(0, 4)} on`)
