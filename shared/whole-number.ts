import * as z from 'zod'
import { parseWholeNumber } from './parse-whole-number.ts'

/**
 * A whole number, also as text, which the first client sends: "25" is 25; "1.5", "1e3" and "" are invalid.
 * @param requiredMessage the validation message for anything else
 * @param refine narrows the range, e.g. `(n) => n.min(1, 'a tool costs at least $1')`
 */
export const wholeNumberSchema = (requiredMessage: string, refine: (number: z.ZodInt) => z.ZodInt = (number) => number) =>
  z
    .union(
      [
        z.int(requiredMessage),
        z
          .string()
          .trim()
          .regex(/^[+-]?\d{1,15}$/)
          .transform(Number),
      ],
      requiredMessage,
    )
    .pipe(refine(z.int(requiredMessage)))

/**
 * A form field for a number as typed, by default a whole one. The parsed number is validated by the schema `number`.
 * @param invalidMessage the validation message for other text; for an empty field the message of `number` is used
 * @param parse returns NaN for text that is no such number
 */
export const numberInputSchema = <NumberSchema extends z.ZodType<number, number | string>>(
  number: NumberSchema,
  invalidMessage: string,
  parse = parseWholeNumber,
) =>
  z
    .string()
    .transform((text, { addIssue }): number | string => {
      const parsed = parse(text)
      if (text.trim() && Number.isNaN(parsed)) addIssue(invalidMessage)
      return parsed
    })
    .pipe(number)
