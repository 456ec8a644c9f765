import * as z from 'zod'
import { formatNumber } from '#shared/format-number.ts'
import { wholeNumberSchema } from '#shared/whole-number.ts'
import { isTimeZone } from './is-time-zone.ts'

const maxDays = 90
const maxWeightGrams = 1_000_000

const assumedDays = wholeNumberSchema('Enter a whole number of days', (number) =>
  number.min(1, 'At least 1 day').max(maxDays, `At most ${maxDays} days`),
)

export const DeliverySettings = z.object({
  timeZone: z
    .string('Enter a time zone')
    .trim()
    .max(60, { error: 'Enter a time zone such as Europe/Berlin', abort: true })
    .refine(isTimeZone, 'Enter a time zone such as Europe/Berlin')
    .meta({ description: 'of cut-off times and holidays, and of the times that pages and mails say' }),
  unknownWeightGrams: wholeNumberSchema('Enter a whole number of grams', (number) =>
    number.min(1, 'At least 1 g').max(maxWeightGrams, `At most ${formatNumber(maxWeightGrams)} g`),
  )
    .nullable()
    .meta({
      description: 'of a piece of which neither the product nor its category has a weight; null: methods by weight do not fit it',
    }),
  assumedDeliveryDays: assumedDays.meta({
    description: "a parcel within the shop's country counts as delivered so many days after it was sent, where nobody says when it was",
  }),
  assumedDeliveryDaysAbroad: assumedDays.meta({ description: 'likewise of a parcel to another country' }),
  withdrawalEverywhere: z.boolean('Say whether').meta({
    description: 'consumers may withdraw from the contract within 14 days of delivery outside the EU and the EEA, too',
  }),
})
export type DeliverySettings = z.infer<typeof DeliverySettings>

/** What is left out stays as it is: the last three came later. */
export const ChangedDeliverySettings = DeliverySettings.partial({
  assumedDeliveryDays: true,
  assumedDeliveryDaysAbroad: true,
  withdrawalEverywhere: true,
})
