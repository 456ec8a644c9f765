import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./store/*/table.ts', './platform/kept-values.ts', './platform/jobs.ts', './platform/limits.ts'],
  out: './migrations',
})
