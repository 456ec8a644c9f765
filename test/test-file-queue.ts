import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, suite } from 'node:test'
import { trackPromises } from './untracked-promises.ts'

/*
 * `npm test` runs its test files in the few processes of `test/rules/`, each of which takes the next file that no other has taken. A process of its
 * own for each file loads the same 1,400 modules and compiles the same functions again, which costs more than most files do.
 */

const projectRoot = path.join(import.meta.dirname, '..')
const queueDirVariable = 'TEST_FILES_TAKEN'

/** The files with the longest tests come first, so that no process is left alone with one at the end. */
const testFilesInOrder = ['proof', 'test', 'store', 'shared', 'demo', 'platform', 'web', 'bench'].flatMap((folder) =>
  globSync(`${folder}/**/*.test.ts`, { cwd: projectRoot }).sort(),
)

/** For the setup of a test run: where its processes say which files they have taken; gone when disposed. */
export function createTestFileQueue(): Disposable {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'test-files-'))
  process.env[queueDirVariable] = folder
  return { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** A file that takes longer hangs: it is red by its name, and the next one is taken. */
const testFileTimeoutMs = 10 * 60_000

/** Runs one file after the other, each as a suite of its name, until all are taken. */
export async function runQueuedTestFiles(): Promise<void> {
  for (const file of testFilesInOrder) {
    if (!claimTestFile(file)) continue
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    trackPromises(true)
    suite(file, { timeout: testFileTimeoutMs }, async () => {
      try {
        await import(path.join(projectRoot, file))
      } finally {
        after(() => end()) // behind what the file itself does at its end
        trackPromises(false)
      }
    })
    await over
  }
}

/** @returns false where another process has taken it */
function claimTestFile(file: string): boolean {
  const folder = process.env[queueDirVariable]
  if (!folder) throw new Error(`No test files were planned for this run: its setup calls ${createTestFileQueue.name}()`)
  try {
    writeFileSync(path.join(folder, encodeURIComponent(file)), '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
