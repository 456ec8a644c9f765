import { defineConfig } from '@playwright/test'

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

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/setup.ts',
  outputDir: 'test-results',
  workers: 3, // each with its own store; pages mostly wait, so two cores can run three workers
  forbidOnly: true,
  timeout: 120_000, // only ends tests that hang; speed is not tested
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    launchOptions: { ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }), args: offlineChromiumArgs },
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
