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
  outputDir: 'test-results',
  workers: 2, // each with a store of its own
  forbidOnly: true,
  timeout: 120_000, // a journey that hangs ends; none is judged by its speed
  reporter: [['list']],
  use: {
    launchOptions: { ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }), args: offline },
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
