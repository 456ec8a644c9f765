import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openTestPostgres } from '#test/postgres.ts'
import { openTemporaryDir } from '#test/temporary-dir.ts'
import { explainedMutants } from './explained-mutants.ts'
import { generateMutants, type Mutant } from './operators.ts'
import { supersededLines } from './superseded-lines.ts'
import { testsByMutatedFile } from './tests-by-mutated-file.ts'

/*
 * Changes one line at a time in the files that guard money, stock, access and input, runs the tests that stand beside each, and lists
 * what none of them notices. Ends with 1 when fewer than 90 % are noticed, when more than a tenth hung, or when one that was missed is not
 * explained. That a test was red is believed at once: one that is red at random would count as noticing.
 *
 * Not Stryker: it reads the configuration of TypeScript through a programming interface that TypeScript 7 does not have, and it changes
 * no SQL within a statement, no lock, no transaction and no constraint of a migration, which is where this store decides about money.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '15' },
    count: { type: 'string', default: '300' },
    file: { type: 'string', multiple: true, default: [] },
    at: { type: 'string', multiple: true, default: [] }, // such as store/orders/rules.ts:216: these lines alone
    skip: { type: 'string', default: '0' }, // leaves out the first of those drawn: the end then speaks of the others alone
    workers: { type: 'string', default: '3' },
    list: { type: 'boolean', default: false },
  },
})
/** How long each test file took on the unchanged project. Far beyond that it hangs: such a mutant counts neither as noticed nor as missed. */
const tookMs = new Map<string, number>()
const testTimeoutMs = (file: string) => 15_000 + 4 * (tookMs.get(file) ?? 60_000)
const projectRoot = path.join(import.meta.dirname, '../..')
const sampledMutants = sampleMutants(Number(values.seed), Number(values.count), values.file)
const started = Date.now()

type Outcome = { mutant: Mutant; is: 'noticed' | 'missed' | 'hung'; by?: string }
const outcomes: Outcome[] = []
/** The test files that still have to pass on the unchanged project, and those that did not. */
const baselineTestFiles = [...new Set(sampledMutants.flatMap(({ file }) => testsByMutatedFile[file] ?? []))]
const failingTestFiles: string[] = []

if (values.list) for (const mutant of sampledMutants) console.log(describe(mutant))
else {
  using _ = openTemporaryDir()
  // Tests wait for the database and for each other's ends half of their time.
  await Promise.all(Array.from({ length: Number(values.workers) }, runWorker))
  if (failingTestFiles.length > 0) reportFailingBaseline()
  else report()
}

/** Draws mutants by the seed, from all that the listed files have. What is drawn stays drawn when other lines change. */
function sampleMutants(seed: number, count: number, files: string[]): Mutant[] {
  const of = files.length > 0 ? files : Object.keys(testsByMutatedFile)
  const all = of
    .flatMap((file) => [...generateMutants(file, readFileSync(path.join(projectRoot, file), 'utf8'))])
    .filter(({ file, line }) => !supersededLines(file).has(line))
    .filter(({ file, line }) => values.at.length === 0 || values.at.includes(`${file}:${line}`))
  const rank = ({ file, operator, from, to }: Mutant) =>
    createHash('sha256')
      .update(JSON.stringify([seed, file, operator, from, to]))
      .digest('hex')
  const ranked = all.map((mutant) => ({ mutant, rank: rank(mutant) })).sort((one, other) => (one.rank < other.rank ? -1 : 1))
  const mutants = ranked.slice(0, count).map(({ mutant }) => mutant)
  console.log(`${mutants.length} mutants drawn by seed ${seed} from ${all.length} in ${of.length} files`)
  return mutants.slice(Number(values.skip))
}

/** Takes one mutant after the other, in a copy of the project with a PostgreSQL of its own. */
async function runWorker(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mutants-'))
  chmodSync(folder, 0o755) // the user that runs PostgreSQL enters it
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const copy = path.join(folder, 'store')
  const left = ['.git', '.data', 'node_modules', 'pictures', 'test-results']
  for (const entry of readdirSync(projectRoot).filter((entry) => !left.includes(entry)))
    cpSync(path.join(projectRoot, entry), path.join(copy, entry), { recursive: true })
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(copy, 'node_modules'))
  const shared = path.join(projectRoot, '../shared')
  if (existsSync(shared)) symlinkSync(shared, path.join(folder, 'shared'))
  const postgres = await openTestPostgres(path.join(folder, 'data'))
  opened.defer(() => postgres.close())

  // A test that is red by itself would notice every mutant.
  for (let file = baselineTestFiles.pop(); file; file = baselineTestFiles.pop()) {
    const begun = Date.now()
    if ((await runTest(file, copy, postgres.connectionString)) !== 0) failingTestFiles.push(file)
    tookMs.set(file, Date.now() - begun)
  }
  if (failingTestFiles.length > 0) return
  for (let mutant = sampledMutants.shift(); mutant; mutant = sampledMutants.shift()) {
    const place = path.join(copy, mutant.file)
    const source = readFileSync(place, 'utf8')
    const lines = source.split('\n')
    writeFileSync(
      place,
      (mutant.to === undefined ? lines.toSpliced(mutant.line - 1, 1) : lines.with(mutant.line - 1, mutant.to)).join('\n'),
    )
    const outcome = await testMutant(mutant, copy, postgres.connectionString)
    writeFileSync(place, source)
    outcomes.push(outcome)
    console.log(`${outcome.is.padEnd(7)} ${describe(mutant)}${outcome.by ? `  (${outcome.by})` : ''}`)
  }
}

/** A test file that hangs leaves it to the next ones to notice. */
async function testMutant(mutant: Mutant, copy: string, connectionString: string): Promise<Outcome> {
  let hung: string | undefined
  for (const file of testsByMutatedFile[mutant.file] ?? []) {
    const code = await runTest(file, copy, connectionString)
    if (code === 'hung') hung ??= file
    else if (code !== 0) return { mutant, is: 'noticed', by: file }
  }
  return hung === undefined ? { mutant, is: 'missed' } : { mutant, is: 'hung', by: hung }
}

/** @returns 0 where all tests of this file pass, another code where one fails, or that it did not come to its end */
function runTest(file: string, cwd: string, connectionString: string): Promise<number | 'hung'> {
  const child = spawn(process.execPath, ['--test', '--test-global-setup=test/setup.ts', '--test-reporter=dot', file], {
    cwd,
    detached: true, // so that what it has started ends with it
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, DATABASE_URL: connectionString },
  })
  return new Promise((resolve, reject) => {
    const end = (outcome: number | 'hung') => {
      const isRunning = child.exitCode === null && child.signalCode === null
      if (child.pid && isRunning) process.kill(-child.pid, 'SIGKILL')
      resolve(outcome)
    }
    const clock = setTimeout(end, testTimeoutMs(file), 'hung')
    // The reporter writes an X for each test that fails: the first one is enough.
    child.stdout.on('data', (dots: Buffer) => dots.includes('X') && end(1))
    child.on('error', reject).on('exit', (code) => {
      clearTimeout(clock)
      resolve(code ?? 'hung') // somebody else ended it: that says nothing of the mutant
    })
  })
}

function describe({ file, line, operator, from, to }: Mutant): string {
  return `${file}:${line} ${operator}: ${from.trim()} -> ${to?.trim() ?? '(nothing)'}`
}

function reportFailingBaseline(): void {
  console.error(`Red without any change, so nothing was judged: ${failingTestFiles.join(', ')}`)
  process.exitCode = 1
}

function report(): void {
  const count = (is: Outcome['is']) => outcomes.filter((outcome) => outcome.is === is).length
  const [noticed, missed, hung] = [count('noticed'), count('missed'), count('hung')]
  const judged = noticed + missed
  const unexplained = outcomes.filter(({ is, mutant }) => is === 'missed' && !explanationOf(mutant))
  console.log(
    `\n${noticed} of ${judged} noticed (${((100 * noticed) / judged).toFixed(1)} %), ${missed} missed, ${hung} hung and counted as neither`,
  )
  for (const { is, mutant } of outcomes)
    if (is === 'missed') console.log(`missed ${describe(mutant)}\n       ${explanationOf(mutant) ?? 'NOT EXPLAINED'}`)
  for (const [operator, of] of Object.entries(Object.groupBy(outcomes, ({ mutant }) => mutant.operator))) {
    const noticedOf = of?.filter(({ is }) => is === 'noticed').length
    console.log(`${operator}: ${noticedOf} noticed of ${of?.filter(({ is }) => is !== 'hung').length}`)
  }
  console.log(`after ${Math.round((Date.now() - started) / 1000)} s`)
  process.exitCode = judged >= 9 * hung && noticed / judged >= 0.9 && unexplained.length === 0 ? 0 : 1
}

function explanationOf({ file, from, to }: Mutant): string | undefined {
  return explainedMutants.find((one) => one.file === file && one.from === from.trim() && one.to === to?.trim())?.why
}
