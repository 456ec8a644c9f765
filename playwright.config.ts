import { defineConfig } from '@playwright/test'
import { fullRunJourney, isFullRun } from './proof/full-run.ts'

/** Disables Chromium's background requests. */
export const offlineChromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Spares a journey work that changes nothing of what it sees. Its pages live for seconds: code that is optimised is hardly run any more, and a
 * process for each page, or for drawing, takes longer to start than it saves. Not for what measures the store.
 */
const shortLivedPageArgs = ['--js-flags=--no-opt,--no-maglev', '--renderer-process-limit=1', '--in-process-gpu']

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/setup.ts',
  outputDir: 'test-results',
  workers: 3, // each with its own store; pages mostly wait, so two cores can run three workers
  forbidOnly: true,
  ...(!isFullRun && { grepInvert: new RegExp(fullRunJourney.tag) }),
  timeout: 120_000, // only ends tests that hang; speed is not tested
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    launchOptions: {
      ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
      args: [...offlineChromiumArgs, ...shortLivedPageArgs],
    },
    viewport: { width: 1280, height: 900 },
    deviceScaleFactor: 0.5, // a quarter of the pixels to draw; sizes in CSS pixels are what they are
    contextOptions: { reducedMotion: 'reduce' }, // what moves is drawn again and again; journeys about motion say otherwise
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
