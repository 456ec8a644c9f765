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

const config: Config = {
  appDirectory: 'store',
  ssr: true,
  serverBuildFile: '[name].js', // several entries: see vite.config.ts
  routeDiscovery: { mode: 'initial' },
  splitRouteModules: false, // the manifest, which every page loads, would name each part of each screen
  // at the very end: the manifest, which every page loads, is written after the bundles
  buildEnd: ({ reactRouterConfig }) => compress(path.join(reactRouterConfig.buildDirectory, 'client')),
}

export default config
