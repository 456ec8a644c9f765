import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { AskForReturnBody, type OrderReturns, returnReason } from '#store/orders/returns/contract.ts'

/** The form that asks for a return: pieces and a reason for each line, 0 pieces or nothing for one that the buyer keeps. */
export const returnFormSchema = (returnable: Pick<OrderReturns['returnable'][number], 'pieces'>[]) =>
  z.object({
    lines: z
      .array(z.object({ pieces: z.string(), reason: z.string() }))
      .transform((typed, { addIssue }) =>
        typed.map(({ pieces, reason }, index) => {
          const most = returnable[index]?.pieces ?? 0
          const quantity = pieces.trim() === '' ? 0 : parseWholeNumber(pieces)
          if (!(quantity >= 0 && quantity <= most))
            addIssue({ code: 'custom', path: [index, 'pieces'], message: `From 0 to ${formatNumber(most)}` })
          const chosen = returnReason.safeParse(reason)
          if (quantity > 0 && !chosen.success) addIssue({ code: 'custom', path: [index, 'reason'], message: 'Choose a reason' })
          return { quantity, reason: chosen.data ?? 'other' }
        }),
      )
      .refine((lines) => lines.some(({ quantity }) => quantity !== 0), { path: [0, 'pieces'], message: 'At least one piece comes back' }),
    note: AskForReturnBody.shape.note,
  })
export type ReturnFormInput = z.input<ReturnType<typeof returnFormSchema>>
