import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type ProofResult, parseProofResults } from './proof-result.ts'

/*
 * Runs the whole matrix of what must hold, on the built store, and prints it as one table: the tests in proof/ and what else `npm test` leaves
 * out or samples, at full size, and all journeys. What has a row is in the table. Ends with 1 when one failed.
 */
const folder = mkdtempSync(path.join(os.tmpdir(), 'proof-'))
const [ofTests, ofJourneys] = [path.join(folder, 'tests'), path.join(folder, 'journeys')]
const started = Date.now()
const testFiles = globSync('{proof,test,store,shared,demo,platform,web,bench}/**/*.test.ts')
  .filter((file) => file.startsWith('proof') || readFileSync(file, 'utf8').includes('/full-run.ts'))
  .sort()

const failed = [
  await run(process.execPath, [
    '--test',
    '--import=./test/quick-resolution.ts',
    '--test-concurrency=2',
    '--test-global-setup=test/setup.ts',
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=./proof/reporter.ts',
    `--test-reporter-destination=${ofTests}`,
    ...testFiles,
  ]),
  await run('playwright', ['test', '--reporter=dot,./proof/journeys-reporter.ts']),
]
const findings = globSync(`${folder}/*`).flatMap((file) => parseProofResults(readFileSync(file, 'utf8')))
rmSync(folder, { recursive: true })

findings.sort((a, b) => a.row.localeCompare(b.row, 'en', { numeric: true }))
const held = findings.filter(({ failure }) => failure === undefined).length
console.log(`\n${table(findings)}\n`)
for (const { row, sentence, failure } of findings)
  if (failure !== undefined) console.log(`${row} ${sentence}\n${stripVTControlCharacters(failure)}\n`)
console.log(`${held} of ${findings.length} hold, after ${Math.round((Date.now() - started) / 1000)} s`)
process.exitCode = held === findings.length && !failed.some(Boolean) ? 0 : 1

/** @returns whether it failed */
function run(program: string, args: string[]): Promise<boolean> {
  const env = { ...process.env, PROOF: 'whole', PROOF_FINDINGS: ofJourneys }
  const child = spawn(program, args, { stdio: 'inherit', env, shell: process.platform === 'win32' })
  return new Promise((resolve, reject) => child.on('error', reject).on('exit', (code) => resolve(code !== 0)))
}

function table(rows: ProofResult[]): string {
  const widths = [3, 62, 6, 58]
  const line = (cells: string[]) => {
    const wrapped = cells.map((cell, nth) => wrap(cell, widths[nth] ?? 0))
    const height = Math.max(...wrapped.map(({ length }) => length))
    return Array.from({ length: height }, (_, nth) =>
      wrapped
        .map((lines, of) => (lines[nth] ?? '').padEnd(widths[of] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [
    ...line(['row', 'sentence', 'result', 'figure']),
    rule,
    ...rows.flatMap(({ row, sentence, failure, measurements }) =>
      line([row, sentence, failure === undefined ? 'holds' : 'FAILS', measurements.join('; ')]),
    ),
    rule,
  ].join('\n')
}

/** Lines of words that are at most this wide, unless a word is wider. */
function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines
}
