import { readFileSync } from 'node:fs'
import path from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { escapeNonAscii } from './scripts/escape-non-ascii.ts'

const projectRoot = import.meta.dirname + path.sep

// The type check of browser code and the import boundary apply to the same files, so they share this list.
const browserTsconfig: { include: string[] } = JSON.parse(readFileSync(path.join(projectRoot, 'tsconfig.web.json'), 'utf8'))
const browserFilePatterns = [...browserTsconfig.include, 'node_modules/**', 'public/**', 'build/**', '.react-router/**']

/**
 * Browser and server-rendering code may import only the project files listed in tsconfig.web.json: a server module imported by a screen
 * would open a second database connection, or ship server code to the browser.
 */
export function importBoundary(): Plugin {
  return {
    name: 'import-boundary',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? ''
      if (!file.startsWith(projectRoot)) return
      const inside = file.slice(projectRoot.length)
      if (!browserFilePatterns.some((pattern) => path.matchesGlob(inside, pattern)))
        this.error(`${inside} is behind the import boundary: screens import the contract of a module and nothing else of it`)
    },
  }
}

/**
 * Parts of React Router that this store's pages never use, 1 kB each on every page: hooks for tools that watch a router, and the discovery of
 * routes on the way, as all of them are in the manifest (`routeDiscovery` in react-router.config.ts). These exports say the same as the
 * originals do then. An export that a later version adds and uses fails the build.
 */
const unusedRouterParts: Record<string, string> = {
  'router/instrumentation.js': `export const consumeInstrumentationClientResultMetaReceiver = () => undefined
export const getRouteInstrumentationUpdates = () => ({})
export const instrumentClientSideRouter = (router) => router
export const instrumentHandler = (handler) => handler // of the server's code, of which the browser's build keeps nothing
export const instrumentationResultMetaContext = undefined`,
  'dom/ssr/fog-of-war.js': `export const isFogOfWarEnabled = () => false
export const getPatchRoutesOnNavigationFunction = () => undefined
export const useFogOFWarDiscovery = () => undefined
export const getPartialManifest = (manifest) => manifest
export const getManifestPath = undefined, getPathsWithAncestors = undefined, handleClientVersionMismatch = undefined`,
}

/**
 * Functions that nothing of this store reaches, 3 kB on every page: those of actions and fetchers, as screens call the API themselves
 * (`web/call-api.ts`) and forms that ask for another address are `web/get-form.tsx`; those of server components, of routes that are discovered on
 * the way, of a site without a server, of a history of one's own; and the screen of an error for which `root.tsx` has one. A name that a later version
 * no longer has fails the build.
 */
const unusedRouterFunctions: Record<string, string[]> = {
  'router/router.js': ['handleAction', 'fetch', 'resetFetcher', 'queueFetcherForDeletion', 'discoverRoutes', 'patchRoutesImpl'],
  'hooks.js': ['RSCErrorHandler', 'DefaultErrorComponent'],
  'dom/lib.js': ['useSubmit', 'useFormAction'],
  'dom/ssr/components.js': ['RSCPrefetchPageLinksImpl'],
  'dom/ssr/routes.js': ['noActionDefinedError'],
  'dom/ssr/single-fetch.js': ['singleFetchActionStrategy', 'nonSsrStrategy'],
}

function omitUnusedRouterFunctions(code: string, file: string): string {
  return (unusedRouterFunctions[file] ?? []).reduce((rest, name) => {
    const declaration = new RegExp(`^(\\t*)((?:async )?function ${name}\\([^\\n]*\\) \\{\\n)[^]*?^\\1\\}$`, 'm')
    if (!declaration.test(rest)) throw new Error(`${name} is no function of React Router's ${file} any more`)
    return rest.replace(declaration, (_all, _indent, head: string) => `${head}throw new Error('${name} is omitted by vite.config.ts')\n}`)
  }, code)
}

/**
 * Text of React Router's code that says something else here. A text that a later version no longer has fails the build.
 *
 * A page that is fetched ahead and cannot be fetched is no reason to reload the page that is open: without a network that would put the browser's
 * page in its place. React Router loads both by one function, which reloads; here what is fetched ahead fails in silence, and is fetched again when it
 * is opened. Its data are kept by `web/prefetched-data.ts`: from a `<link rel="prefetch">` they come a frame later, by way of the browser's cache.
 *
 * Components that nothing of this store uses stay in the bundle where making them, or naming them for tools, could have an effect.
 */
const changedRouterCode: Record<string, [from: string, to: string][]> = {
  'dom/ssr/components.js': [
    [
      'let keyedPrefetchLinks = useKeyedPrefetchLinks(newMatchesForAssets);',
      `React$1.useEffect(() => {
		for (const { route: { id } } of newMatchesForAssets) if (manifest.routes[id] && !routeModules[id])
			import(/* @vite-ignore */ manifest.routes[id].module).then((module) => { routeModules[id] = module; }, () => {});
	}, [newMatchesForAssets]);
	React$1.useEffect(() => dataHrefs.forEach((href) => prefetchData(href)), [dataHrefs.join()]);`,
    ],
    [
      `dataHrefs.map((href) => /* @__PURE__ */ React$1.createElement("link", {
		key: href,
		rel: "prefetch",
		as: "fetch",
		href,
		...linkProps
	})), `,
      '',
    ],
    [
      `, keyedPrefetchLinks.map(({ key, link }) => /* @__PURE__ */ React$1.createElement("link", {
		key,
		nonce: linkProps.nonce,
		...link,
		crossOrigin: link.crossOrigin ?? linkProps.crossOrigin
	}))`,
      '', // links of a page itself: none has any
    ],
  ],
  'dom/ssr/single-fetch.js': [
    [
      'await fetch(url, await createRequestInit(request))',
      '(request.method === "GET" && await takePrefetchedData(url)) || await fetch(url, await createRequestInit(request))',
    ],
  ],
  'dom/lib.js': [
    ['const Form = React$1.forwardRef(', 'const Form = /* @__PURE__ */ React$1.forwardRef('],
    ['Form.displayName = "Form";', ''],
    ['HistoryRouter.displayName = "unstable_HistoryRouter";', ''],
  ],
  'components.js': [['var AwaitErrorBoundary = class', 'var AwaitErrorBoundary = () => class']],
}

const prefetchedDataFile = path.join(projectRoot, 'web/prefetched-data.ts')

function changeRouterCode(code: string, file: string): string {
  const changed = (changedRouterCode[file] ?? []).reduce((rest, [from, to]) => {
    if (!rest.includes(from)) throw new Error(`React Router's ${file} has no "${from}" any more`)
    return rest.replace(from, () => to)
  }, code)
  const used = ['prefetchData', 'takePrefetchedData'].filter((name) => new RegExp(`\\b${name}\\b`).test(changed))
  return used.length > 0 ? `import { ${used} } from ${JSON.stringify(prefetchedDataFile)}\n${changed}` : changed
}

/** What React Router would say to its developers, 2 kB on every page: warnings in the console, and the words of errors that a mistake in code throws. */
const omitRouterWarnings = (code: string): string =>
  code
    .replaceAll(/^\t*warn(?:ing)?(?:Once)?\(.*\);$/gm, ';')
    .replaceAll(/^(\t*invariant\(.*), (?:"(?:[^"\\\n]|\\.)*"|`[^`\n]*`)\);$/gm, '$1);')

/** The list of error codes is of the schema of a refusal, by which the browser checks nothing: 1 kB on every page. */
function omitErrorCodes(): Plugin {
  return {
    name: 'omit-error-codes',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: (id) => (id === path.join(projectRoot, 'shared/error-codes.ts') ? 'export const errorCodes = []' : undefined),
  }
}

/**
 * Vite wraps each `import()` with 1 kB on every page that fetches what the imported chunk needs first. Here that is the styles of the store alone,
 * which every page has (`cssCodeSplit`).
 */
function omitPreloadHelper(): Plugin {
  return {
    name: 'omit-preload-helper',
    enforce: 'pre',
    load: (id) => (id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined),
  }
}

function omitUnusedRouterParts(): Plugin {
  const partOf = (id: string) => id.split('/react-router/dist/production/lib/')[1] ?? ''
  const unseen = new Set([unusedRouterParts, unusedRouterFunctions, changedRouterCode].flatMap(Object.keys))
  return {
    name: 'omit-unused-router-parts',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: (id) => unusedRouterParts[partOf(id)],
    buildEnd(error) {
      if (!error && unseen.size > 0) throw new Error(`React Router has no ${[...unseen].join(', ')} any more`)
    },
    transform(code, id) {
      const file = partOf(id)
      unseen.delete(file)
      return file ? omitRouterWarnings(changeRouterCode(omitUnusedRouterFunctions(code, file), file)) : undefined
    },
  }
}

/**
 * React DOM makes five errors as it loads, which it throws to itself and knows by identity. Where a debugger listens, as in Lighthouse and in the
 * journeys, V8 notes where each was made, and for that parses the whole of React DOM once more: half of the longest task of every page. Without a
 * stack they cost nothing there either. Another number of them in a later version fails the build.
 */
function omitStacksOfReactExceptions(): Plugin {
  let isApplied = false
  const signals = /\b(\w+Exception) = Error\(formatProdErrorMessage\(\d+\)\)/g
  return {
    name: 'omit-stacks-of-react-exceptions',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      if (!id.endsWith('/react-dom-client.production.js')) return
      const count = code.match(signals)?.length ?? 0
      if (count !== 5) throw new Error(`React DOM makes ${count} exceptions as it loads, not five`)
      isApplied = true
      return code.replace(signals, '$1 = Object.create(Error.prototype)')
    },
    buildEnd(error) {
      if (!error && !isApplied) throw new Error('React DOM is in another file than react-dom-client.production.js')
    },
  }
}

/** So small, and used by so many screens, that a request or the chunk of another page would cost more than they weigh on every page. */
const smallParts = ['web/text-link.tsx', 'web/use-hydrated.ts']
const rootEntries = ['store/entry.client.tsx', 'store/root.tsx']
const shopPages = [
  'pages/screens/home.tsx',
  'search/screens/all-products.tsx',
  'catalogue/screens/product.tsx',
  'catalogue/screens/compare.tsx',
]
type ModuleGraph = { getModuleInfo: (id: string) => { importedIds: string[]; importers: string[]; isEntry: boolean } | null }

/**
 * Puts modules that every page loads, or that two pages of the shop share, into one chunk, and what one of these pages shares with other
 * screens into another. The bundler's default is thirty chunks, which are compressed separately and import one another: 9 kB more on the home
 * page, and six sequential round trips on a slow connection.
 */
function createChunkNamers() {
  const reached = new Map<string, Set<string>>()
  const reaches = (entry: string, id: string, graph: ModuleGraph) => {
    const known = reached.get(entry)
    if (known) return known.has(id)
    if (!graph.getModuleInfo(entry)) throw new Error(`${entry} is no part of the browser's build: what belongs into its frame is not known`)
    const found = new Set([entry])
    for (const next of found) for (const imported of graph.getModuleInfo(next)?.importedIds ?? []) found.add(imported)
    reached.set(entry, found)
    return found.has(id)
  }
  const shopPagesOf = (id: string, graph: ModuleGraph) =>
    shopPages.filter((screen) => reaches(path.join(projectRoot, 'store', screen), id, graph))
  return {
    frame(id: string, graph: ModuleGraph) {
      if (rootEntries.includes(path.relative(projectRoot, id))) return null
      if (smallParts.includes(path.relative(projectRoot, id))) return 'frame'
      if (rootEntries.some((file) => reaches(path.join(projectRoot, file), id, graph))) return 'frame'
      return shopPagesOf(id, graph).length > 1 ? 'frame' : null
    },
    partsOfPage(id: string, graph: ModuleGraph) {
      const [screen, ...others] = shopPagesOf(id, graph)
      return screen && others.length === 0 && countEntries(id, graph) > 1 ? screen : null
    },
  }
}

/** By how many screens a module is loaded. */
function countEntries(id: string, graph: ModuleGraph): number {
  const above = new Set([id])
  for (const next of above) for (const importer of graph.getModuleInfo(next)?.importers ?? []) above.add(importer)
  return [...above].filter((importer) => graph.getModuleInfo(importer)?.isEntry).length
}

const chunkNamers = createChunkNamers()

export default defineConfig(({ command }) => ({
  plugins: [
    importBoundary(),
    omitUnusedRouterParts(),
    omitErrorCodes(),
    omitPreloadHelper(),
    omitStacksOfReactExceptions(),
    escapeNonAscii((environment) => environment === 'ssr'),
    tailwindcss(),
    reactRouter(),
  ],
  // Nothing is preloaded for dynamic imports: what is imported has few dependencies.
  build: { assetsInlineLimit: 0, modulePreload: false, cssCodeSplit: false },
  // In development Vite serves any file of the project by its path. The database and its password must not be accessible.
  server: { fs: { deny: ['**/.data/**', '**/.git/**', '.env*'] } },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Seven characters, the fewest that the bundler takes, tell versions apart. Every page has the names of all chunks, which compression does not shorten.
            chunkFileNames: 'assets/[hash:7].js',
            entryFileNames: 'assets/[hash:7].js',
            codeSplitting: {
              groups: [
                { name: chunkNamers.frame, priority: 2 },
                { name: chunkNamers.partsOfPage, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        rolldownOptions: {
          input: { index: './web/render.ts', 'reference-renderer': './bench/reference-renderer.tsx' },
        },
      },
      // Bundled, the server-side rendering starts in 100 ms and uses a single copy of React, whatever else is installed.
      ...(command === 'build' && {
        resolve: { noExternal: true as const },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      }),
    },
  },
}))
