import * as z from 'zod'

/** What one test of the proof has found: the row of the matrix, the sentence, whether it holds, and its figures. */
export type ProofResult = { row: string; sentence: string; failure?: string | undefined; measurements: string[] }
const ProofResult: z.ZodType<ProofResult> = z.object({
  row: z.string(),
  sentence: z.string(),
  failure: z.string().optional(),
  measurements: z.array(z.string()),
})

/** Of a test whose title begins with its row, such as "D1 every route ..."; a test without a row is one of row "-" only when it failed. */
export function proofResultFromTitle(title: string, failure: string | undefined): ProofResult | undefined {
  const [, row, sentence] = /^([A-Z]\d+) (.+)$/s.exec(title) ?? []
  if (row && sentence) return { row, sentence, failure, measurements: [] }
  return failure === undefined ? undefined : { row: '-', sentence: title, failure, measurements: [] }
}

/** A finding as a line for the file between the runners and the table. */
export const serializeProofResult = (finding: ProofResult): string => `${JSON.stringify(finding)}\n`
export const parseProofResults = (lines: string): ProofResult[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => ProofResult.parse(JSON.parse(line)))
