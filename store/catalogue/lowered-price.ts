import * as z from 'zod'

/** For how many days a lowered price is shown as lowered. The time before it whose lowest price is named is as long (Directive 98/6/EC, article 6a). */
export const loweredDays = 30

export const Lowered = z
  .object({
    from: z.number().describe(`the lowest price of the ${loweredDays} days before \`since\`, in the store's currency`),
    since: z.iso.datetime().describe('when the price was lowered from it'),
  })
  .meta({
    id: 'Lowered',
    description: `what the list price was lowered from, as its changes say, for ${loweredDays} days; null for a price that is not lowered`,
  })
export type Lowered = z.infer<typeof Lowered>

/** Until when this is shown, in milliseconds since 1970; undefined for a price that is not lowered. */
export const loweredUntilMs = (lowered: Lowered | null): number | undefined =>
  lowered ? Date.parse(lowered.since) + loweredDays * 86_400_000 : undefined
