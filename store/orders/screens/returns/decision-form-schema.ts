import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { returnOutcomes } from '#store/orders/returns/return-reasons.ts'

/** Pieces of a line that can be decided, and those of them that have arrived. */
export type DecidableLine = { toDecide: number; left: number }

const outcome = z.enum(returnOutcomes)

/** The form that decides of each line how many pieces get which outcome; 0 pieces or nothing for a line that is decided later. */
export const decisionFormSchema = (lines: DecidableLine[]) =>
  z.object({
    lines: z
      .array(
        z.object({
          pieces: z.string(),
          outcome: z.string(),
          restock: z.string(),
          reason: z.string().trim().max(200, 'At most 200 characters'),
        }),
      )
      .transform((typed, { addIssue }) =>
        typed.map(({ pieces, outcome: chosen, restock, reason }, index) => {
          const { toDecide, left } = lines[index] ?? { toDecide: 0, left: 0 }
          const quantity = pieces.trim() === '' ? 0 : parseWholeNumber(pieces)
          const read = outcome.safeParse(chosen).data
          const most = read === 'refused' ? left : toDecide
          const refuse = (field: string, message: string) => addIssue({ code: 'custom', path: [index, field], message })
          if (!(quantity >= 0 && quantity <= most)) refuse('pieces', `From 0 to ${formatNumber(most)}`)
          if (quantity > 0 && !read) refuse('outcome', 'Choose what becomes of them')
          if (quantity > 0 && read === 'refused' && reason === '') refuse('reason', 'Say why: the buyer reads it')
          const isStockDecided = read === 'refund' || read === 'replacement'
          if (quantity > 0 && isStockDecided && restock === '') refuse('restock', 'Say where the pieces go')
          return { quantity, outcome: read ?? 'refund', restock: isStockDecided && restock === 'stock', reason }
        }),
      )
      .refine((typed) => typed.some(({ quantity }) => quantity !== 0), { path: [0, 'pieces'], message: 'Decide of at least one piece' }),
    delivery: z.boolean(),
  })
export type DecisionFormInput = z.input<ReturnType<typeof decisionFormSchema>>
