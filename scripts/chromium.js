import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The headless shell is preferred: browser tests take a quarter of the time. */
const system = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Finds a Chromium for the browser tests: an installed one, else Playwright's, else Debian's package, installed if missing.
 * @param run runs a program to its end
 * @returns the path of the executable
 * @throws if none could be installed, instead of a different error in every browser test
 */
export async function findChromium(run) {
  const found = () => [process.env.CHROMIUM, ...system].find((program) => program && existsSync(program))
  const playwrights = () => {
    const program = createRequire(import.meta.url)('playwright-core').chromium.executablePath()
    return existsSync(program) ? program : undefined
  }
  if (found() ?? playwrights()) return found() ?? playwrights()

  console.log('Fetching a Chromium for the browser tests, once')
  // Each method may be unavailable on this machine, so each failure leads to the next method.
  await run('sh', [
    '-c',
    'npx playwright install --only-shell chromium || { apt-get update && apt-get install --yes chromium-headless-shell; } || ' +
      'apt-get install --yes chromium || sudo -n apt-get install --yes chromium || true',
  ])
  const fetched = found() ?? playwrights()
  if (!fetched) throw new Error('No Chromium could be fetched: install one, or say where it is with CHROMIUM=/path/to/chromium')
  return fetched
}
