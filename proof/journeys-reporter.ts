import { appendFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { proofResultFromTitle, serializeProofResult } from './proof-result.ts'

/** A reporter for Playwright that says the same as `reporter.ts` says of node's tests; a journey's figures are its annotations. */
export default class JourneysReporter implements Reporter {
  onTestEnd({ title }: TestCase, { status, error, annotations }: TestResult) {
    if (status === 'skipped') return
    const finding = proofResultFromTitle(title, status === 'passed' ? undefined : (error?.message ?? status))
    if (!finding) return
    finding.measurements.push(...annotations.flatMap(({ type, description }) => (type === 'figure' && description ? [description] : [])))
    appendFileSync(process.env.PROOF_FINDINGS ?? 'test-results/findings', serializeProofResult(finding))
  }
}
