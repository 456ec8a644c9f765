import { defineConfig } from '@playwright/test'

/** A Chromium that asks nobody but the store. */
export const offline = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/setup.ts',
  outputDir: 'test-results',
  workers: 3, // each with a store of its own; a page waits more than it works, so two cores have time for a third
  forbidOnly: true,
  timeout: 120_000, // a journey that hangs ends; none is judged by its speed
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    launchOptions: { ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }), args: offline },
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
