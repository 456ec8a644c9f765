import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./store/**/table.ts', './platform/stored-values.ts', './platform/jobs.ts', './platform/rate-limits.ts'],
  out: './migrations',
})
