import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The headless shell comes first: without a browser's own windows each journey takes a quarter of the time. */
const system = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * A Chromium for the browser tests: the machine's own, else Playwright's, else the one of Debian's packages.
 * @param run runs a program to its end and ends the whole with it if it fails
 * @returns the path of the program
 * @throws where none could be fetched: without one every journey would fail for a reason of its own
 */
export async function findChromium(run) {
  const found = () => [process.env.CHROMIUM, ...system].find((program) => program && existsSync(program))
  const playwrights = () => {
    const program = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    return existsSync(program) ? program : undefined
  }
  if (found() ?? playwrights()) return found() ?? playwrights()

  console.log('Fetching a Chromium for the browser tests, once')
  // Each way may be closed on this machine, so a failure of one only leads to the next.
  await run('sh', [
    '-c',
    'npx playwright install --only-shell chromium || { apt-get update && apt-get install --yes chromium-headless-shell; } || ' +
      'apt-get install --yes chromium || sudo -n apt-get install --yes chromium',
  ])
  const fetched = found() ?? playwrights()
  if (!fetched) throw new Error('No Chromium could be fetched: install one, or say where it is with CHROMIUM=/path/to/chromium')
  return fetched
}
