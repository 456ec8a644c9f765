import type { TestEvent } from 'node:test/reporters'
import { type Finding, findingOf, written } from './finding.ts'

/** A reporter for node's test runner: a line for each test whose title begins with a row of the proof, with what it said as its figure. */
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let last: Finding | undefined
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail' && type !== 'test:diagnostic') || data.nesting > 0) continue
    if (type === 'test:diagnostic') {
      if (data.file) last?.figures.push(data.message) // those of no file are the runner's own
      continue
    }
    if (last) yield written(last)
    const cause = type === 'test:fail' ? data.details.error.cause : undefined
    last = findingOf(data.name, type === 'test:fail' ? String(cause ?? data.details.error) : undefined)
  }
  if (last) yield written(last)
}
