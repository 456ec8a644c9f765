import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { carriers, trackingNumberFault } from '#store/orders/shipments/carriers.ts'
import { trackingNumber } from '#store/orders/shipments/contract.ts'
import type { LineToSend } from '#store/orders/shipments/to-send-contract.ts'

/** The form that sends an order: a quantity for each line, 0 for one that is not in the parcel. */
export const sendFormSchema = (lines: Pick<LineToSend, 'toSend'>[]) =>
  z
    .object({
      quantities: z.array(z.object({ typed: z.string() })).transform((typed, { addIssue }) =>
        typed.map(({ typed }, index) => {
          const left = lines[index]?.toSend ?? 0
          const quantity = typed.trim() === '' ? 0 : parseWholeNumber(typed)
          if (quantity >= 0 && quantity <= left) return quantity
          addIssue({ code: 'custom', path: [index, 'typed'], message: `From 0 to ${formatNumber(left)}` })
          return z.NEVER
        }),
      ),
      carrier: z.enum(['', ...carriers]),
      trackingNumber,
    })
    .superRefine(({ quantities, carrier, trackingNumber }, { addIssue }) => {
      if (quantities.every((quantity) => quantity === 0))
        addIssue({ code: 'custom', path: ['quantities', 0, 'typed'], message: 'At least one piece is sent' })
      if (trackingNumber !== '' && carrier === '')
        addIssue({ code: 'custom', path: ['carrier'], message: 'Say which carrier this tracking number is of' })
      const fault = trackingNumberFault({ carrier, trackingNumber })
      if (fault) addIssue({ code: 'custom', path: ['trackingNumber'], message: fault })
    })
export type SendFormInput = z.input<ReturnType<typeof sendFormSchema>>
export type SendFormValues = z.output<ReturnType<typeof sendFormSchema>>
