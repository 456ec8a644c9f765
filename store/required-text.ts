import * as z from 'zod'

/**
 * A text that has to be there, without the blanks around it.
 * @param needed what the reader is told when it is not
 * @param longest how many characters it may have
 */
export const requiredText = (needed: string, longest: number) =>
  z.string(needed).trim().min(1, needed).max(longest, `At most ${longest} characters`)
