import type { TestEvent } from 'node:test/reporters'
import { type ProofResult, proofResultFromTitle, serializeProofResult } from './proof-result.ts'

/** A reporter for node's test runner: a line for each test whose title begins with a row of the proof, with what it said as its figure. */
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let last: ProofResult | undefined
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail' && type !== 'test:diagnostic') || data.nesting > 0) continue
    if (type === 'test:diagnostic') {
      if (data.file) last?.measurements.push(data.message) // those of no file are the runner's own
      continue
    }
    if (last) yield serializeProofResult(last)
    const cause = type === 'test:fail' ? data.details.error.cause : undefined
    last = proofResultFromTitle(data.name, type === 'test:fail' ? String(cause ?? data.details.error) : undefined)
  }
  if (last) yield serializeProofResult(last)
}
