import * as z from 'zod'
import { amountToCents, centsToAmount } from './money.ts'
import { parseAmountToCents } from './typed-amount.ts'
import { numberInputSchema } from './whole-number.ts'

const hasCentsAtMost = (amount: number): boolean => Number.isInteger(amount) || centsToAmount(amountToCents(amount)) === amount

/**
 * An amount on the wire, in the store's currency with at most two decimals, also as text, which the first client sends: "12.35" is 12.35; "1.005", "12,50",
 * "1e3" and "" are invalid.
 * @param requiredMessage the validation message for anything else
 * @param refine narrows the range, e.g. `(n) => n.min(0.01, 'a tool costs at least $0.01')`
 */
export const amountSchema = (requiredMessage: string, refine: (number: z.ZodNumber) => z.ZodNumber = (number) => number) =>
  z
    .union(
      [
        z.number(requiredMessage).refine(hasCentsAtMost).describe("in the store's currency, with at most two decimals"),
        z
          .string()
          .trim()
          .regex(/^[+-]?\d{1,15}(\.\d{1,2})?$/)
          .transform(Number),
      ],
      requiredMessage,
    )
    .pipe(refine(z.number(requiredMessage)))

export const invalidAmountMessage = 'Enter an amount like 16, 12.35 or 1,250'

/**
 * A form field for an amount as typed, with a point or a comma before the cents: its text is parsed to an amount on the wire, which the schema `amount` validates.
 * @param invalidMessage the validation message for other text; for an empty field the message of `amount` is used
 */
export const amountInputSchema = <AmountSchema extends z.ZodType<number, number | string>>(
  amount: AmountSchema,
  invalidMessage = invalidAmountMessage,
) => numberInputSchema(amount, invalidMessage, (text) => centsToAmount(parseAmountToCents(text)))
