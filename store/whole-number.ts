import * as z from 'zod'
import { typedWholeNumber } from './typed-whole-number.ts'

/**
 * A whole number, also when it comes written as text, as the first client sent it: "25" counts as 25; "1.5", "1e3" and "" do not.
 * @param needed what the reader is told when it is no whole number
 * @param within narrows the range, e.g. `(n) => n.min(1, 'a tool costs at least $1')`
 */
export const wholeNumber = (needed: string, within: (number: z.ZodInt) => z.ZodInt = (number) => number) =>
  z
    .union(
      [
        z.int(needed),
        z
          .string()
          .trim()
          .regex(/^[+-]?\d{1,15}$/)
          .transform(Number),
      ],
      needed,
    )
    .pipe(within(z.int(needed)))

/**
 * A form's field for a whole number as a person types it, judged by `number` once it is one.
 * @param notWhole what the reader is told when something else stands there; when nothing does, `number` says what is needed
 */
export const typed = <Judge extends z.ZodType<number, number | string>>(number: Judge, notWhole: string) =>
  z
    .string()
    .transform((text, { addIssue }): number | string => {
      const read = typedWholeNumber(text)
      if (text.trim() && Number.isNaN(read)) addIssue(notWhole)
      return read
    })
    .pipe(number)
