import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'

const house = import.meta.dirname + path.sep

// The browser's type check and the wall speak of the same files, so one list serves both.
const browserSide: { include: string[] } = JSON.parse(readFileSync(path.join(house, 'tsconfig.web.json'), 'utf8'))
const openToScreens = [...browserSide.include, 'node_modules/**', 'public/**', 'build/**', '.react-router/**']

/**
 * The browser, and the server while it renders, may load what is listed in tsconfig.web.json and nothing else of this house:
 * a rule or a table imported by a screen would bring a second database with it, or send the server's code to the browser.
 */
export function wall(): Plugin {
  return {
    name: 'wall',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? ''
      if (!file.startsWith(house)) return
      const inside = file.slice(house.length)
      if (!openToScreens.some((pattern) => path.matchesGlob(inside, pattern)))
        this.error(`${inside} is behind the wall: screens know a room by its contract`)
    },
  }
}

/** Compresses the built files once, as hard as it goes, so that the server only has to send them. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle: {
      order: 'post',
      handler({ dir = '' }) {
        for (const file of globSync('**/*.{js,css,svg}', { cwd: dir })) {
          const bytes = readFileSync(path.join(dir, file))
          writeFileSync(path.join(dir, `${file}.br`), brotliCompressSync(bytes))
          writeFileSync(path.join(dir, `${file}.gz`), gzipSync(bytes, { level: 9 }))
        }
      },
    },
  }
}

export default defineConfig(({ command }) => ({
  plugins: [wall(), tailwindcss(), reactRouter(), compressed()],
  build: { assetsInlineLimit: 0 },
  // In development Vite serves any file of the project by its address; the database and its password are none of that.
  server: { fs: { deny: ['**/.data/**', '**/.git/**', '.env*'] } },
  environments: {
    ssr: {
      build: { rolldownOptions: { input: './web/render.ts' } },
      // Bundled, the screens' server side starts in a tenth of a second and knows one React, whatever else is installed.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      }),
    },
  },
}))
