import * as z from 'zod'

/** What one test of the proof has found: the row of the matrix, the sentence, whether it holds, and its figures. */
export type Finding = { row: string; sentence: string; failure?: string | undefined; figures: string[] }
const Finding: z.ZodType<Finding> = z.object({
  row: z.string(),
  sentence: z.string(),
  failure: z.string().optional(),
  figures: z.array(z.string()),
})

/** Of a test whose title begins with its row, such as "D1 every route ..."; a test without a row is one of row "-" only when it failed. */
export function findingOf(title: string, failure: string | undefined): Finding | undefined {
  const [, row, sentence] = /^([A-Z]\d+) (.+)$/s.exec(title) ?? []
  if (row && sentence) return { row, sentence, failure, figures: [] }
  return failure === undefined ? undefined : { row: '-', sentence: title, failure, figures: [] }
}

/** A finding as a line for the file between the runners and the table. */
export const written = (finding: Finding): string => `${JSON.stringify(finding)}\n`
export const read = (lines: string): Finding[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => Finding.parse(JSON.parse(line)))
