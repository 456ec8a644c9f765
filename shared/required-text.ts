import * as z from 'zod'

/**
 * A required text, trimmed. A longer one is refused by its length alone: without `abort`, zod would run the checks that follow on it too, and
 * a pattern may need the square of the length.
 * @param requiredMessage the validation message if it is missing or empty
 * @param maxLength in characters
 */
export const requiredTextSchema = (requiredMessage: string, maxLength: number) =>
  z
    .string(requiredMessage)
    .trim()
    .min(1, requiredMessage)
    .max(maxLength, { error: `At most ${maxLength} characters`, abort: true })
