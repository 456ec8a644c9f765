import { readFileSync } from 'node:fs'
import path from 'node:path'
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

const everyPage = ['store/entry.client.tsx', 'store/root.tsx']
const shopPages = [
  'pages/screens/home.tsx',
  'catalogue/screens/all-products.tsx',
  'catalogue/screens/product.tsx',
  'catalogue/screens/compare.tsx',
]
type Graph = { getModuleInfo: (id: string) => { importedIds: string[] } | null }

/**
 * Names the one file for what every page loads anyway and for what two pages of the shop share. Left to itself the bundler makes thirty files of
 * that, which are gzipped each by itself and name one another: 9 kB more on the home page, and six rounds of requests on a slow line.
 */
function framed() {
  const reached = new Map<string, Set<string>>()
  const reaches = (entry: string, id: string, graph: Graph) => {
    const known = reached.get(entry)
    if (known) return known.has(id)
    if (!graph.getModuleInfo(entry)) throw new Error(`${entry} is no part of the browser's build: what belongs into its frame is not known`)
    const found = new Set([entry])
    for (const next of found) for (const imported of graph.getModuleInfo(next)?.importedIds ?? []) found.add(imported)
    reached.set(entry, found)
    return found.has(id)
  }
  return (id: string, graph: Graph) => {
    if (everyPage.includes(path.relative(house, id))) return null
    if (everyPage.some((file) => reaches(path.join(house, file), id, graph))) return 'frame'
    return shopPages.filter((screen) => reaches(path.join(house, 'store', screen), id, graph)).length > 1 ? 'frame' : null
  }
}

export default defineConfig(({ command }) => ({
  plugins: [wall(), tailwindcss(), reactRouter()],
  build: { assetsInlineLimit: 0 },
  // In development Vite serves any file of the project by its address; the database and its password are none of that.
  server: { fs: { deny: ['**/.data/**', '**/.git/**', '.env*'] } },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: 'assets/[hash].js',
            entryFileNames: 'assets/[hash].js',
            codeSplitting: { groups: [{ name: framed() }] },
          },
        },
      },
    },
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
