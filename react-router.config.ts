import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Config } from '@react-router/dev/config'

/** Compresses the built files once, as hard as it goes, so that the server only has to send them. */
function compress(folder: string) {
  for (const file of globSync('**/*.{js,css,svg}', { cwd: folder })) {
    const bytes = readFileSync(path.join(folder, file))
    writeFileSync(path.join(folder, `${file}.br`), brotliCompressSync(bytes))
    writeFileSync(path.join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

/**
 * Shortens the manifest of all routes, which every page loads: a flag that is missing is false, a list that is missing is empty, what all pages load
 * is loaded by then, and nothing in a browser asks whether a route has a default export.
 * Of pages for admins, of those of a company and of `seldomOpened` it names no chunks to fetch ahead, a third of its size: their first opening takes a
 * round trip more.
 */
function shortenManifest(folder: string) {
  const [file = ''] = globSync('assets/manifest-*.js', { cwd: folder })
  const source = readFileSync(path.join(folder, file), 'utf8')
  const [, head = '', json = '', tail = ''] = /^([^{]*)(\{.*\})([^}]*)$/s.exec(source) ?? []
  const manifest: Manifest = JSON.parse(json)
  const { entry, routes } = manifest
  const isForAdmins = (id: string | undefined): boolean => id !== undefined && (/admin-only/.test(id) || isForAdmins(routes[id]?.parentId))
  const unknown = seldomOpened.filter((id) => !routes[id])
  if (unknown.length > 0) throw new Error(`There is no route ${unknown.join(', ')}`)
  const hasChunks = (id: string) => !isForAdmins(id) && !id.startsWith('companies/') && !seldomOpened.includes(id)
  const named = (name: string, list: string[]) => (list.length > 0 ? { [name]: list } : {})
  for (const [id, { imports, css, hasDefaultExport: _, ...others }] of Object.entries(routes)) {
    const further = (of: string[] = [], known: string[] = []) => of.filter((chunk) => id === 'root' || !known.includes(chunk))
    const flags = Object.entries(others).filter(([, value]) => value !== false)
    routes[id] = {
      ...Object.fromEntries(flags),
      ...named('imports', hasChunks(id) ? further(imports, entry.imports) : []),
      ...named('css', further(css, routes.root?.css)),
    }
  }
  writeFileSync(path.join(folder, file), head + JSON.stringify(manifest) + tail)
}

/** Pages to which the link of a mail or another site leads, where the HTML itself names the chunks, and others that one opens once in a while. */
const seldomOpened = [
  'identity/screens/verify-email',
  'identity/screens/reset-password',
  'identity/screens/google-callback',
  'orders/screens/guest-order',
  'orders/screens/withdraw',
  'cart/screens/shared-cart',
  'profiles/screens/my-profile',
  'reviews/screens/add-review',
]

type Manifest = {
  entry: { imports: string[] }
  routes: Record<string, { parentId?: string; imports?: string[]; css?: string[]; [flag: string]: unknown }>
}

const config: Config = {
  appDirectory: 'store',
  ssr: true,
  serverBuildFile: '[name].js', // several entries: see vite.config.ts
  routeDiscovery: { mode: 'initial' },
  splitRouteModules: false, // the manifest, which every page loads, would name each part of each screen
  // at the very end: the manifest, which every page loads, is written after the bundles
  buildEnd({ reactRouterConfig }) {
    const folder = path.join(reactRouterConfig.buildDirectory, 'client')
    shortenManifest(folder)
    compress(folder)
  },
}

export default config
