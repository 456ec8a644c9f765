import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { offlineChromiumArgs } from '../playwright.config.ts'

/** A browser without a window that can be told what to do at this port, and that asks nobody but the store. */
export type ChromiumProcess = { port: number; close(): Promise<void> }

/** @param program the path of Chromium */
export function launchChromium(program: string): Promise<ChromiumProcess> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'chromium-'))
  const child = spawn(
    program,
    [
      ...offlineChromiumArgs,
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      'about:blank',
    ],
    // a group of its own: a distribution's program is a script around the real one, which a signal to the script does not reach
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid)
    } catch {} // it has ended by itself
  }
  process.once('exit', end)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${said}`)))
    child.stderr.on('data', (chunk) => {
      said += chunk
      const port = said.match(/DevTools listening on ws:\/\/[^:]+:(\d+)\//)?.[1]
      if (!port) return
      said = ''
      resolve({
        port: Number(port),
        async close() {
          process.off('exit', end)
          end()
          await ended
          child.stderr.destroy() // its helpers hold it a moment longer
          rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
        },
      })
    })
  })
}
