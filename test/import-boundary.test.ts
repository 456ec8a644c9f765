import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { build, createServer } from 'vite'
import { importBoundary } from '../vite.config.ts'

const house = path.join(import.meta.dirname, '..')
const behind = [
  'store/orders/rules.ts',
  'store/orders/table.ts',
  'store/orders/api.ts',
  'store/modules.ts',
  'platform/database.ts',
  'server.ts',
  'demo/catalogue/seed.ts',
  'test/store.ts',
]
const open = ['store/orders/contract.ts', 'shared/endpoint.ts', 'web/call-api.ts', 'store/orders/screens/purchase.tsx']

for (const side of ['client', 'ssr'] as const)
  test(`in development the ${side === 'ssr' ? 'rendering server' : 'browser'} gets contracts and screens, and nothing else of the house`, async () => {
    const vite = await createServer({
      configFile: false,
      root: house,
      plugins: [importBoundary()],
      server: { middlewareMode: true, ws: false },
      appType: 'custom',
      logLevel: 'silent',
    })
    try {
      for (const file of behind)
        for (const address of [`/${file}`, `/${file}?raw`, `/${file}?url&inline`]) {
          const served = await vite.environments[side].transformRequest(address).catch(() => null)
          assert.equal(served, null, address)
        }
      for (const file of open) assert.ok(await vite.environments[side].transformRequest(`/${file}`), file)
    } finally {
      await vite.close()
    }
  })

test('a screen that imports a rule does not build', async () => {
  const entry = '\0screen'
  const screen = {
    name: 'screen',
    resolveId: (id: string) => (id === 'screen' ? entry : undefined),
    load: (id: string) => (id === entry ? "import '#store/orders/rules.ts'" : undefined),
  }
  const built = build({
    configFile: false,
    root: house,
    plugins: [screen, importBoundary()],
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: 'screen' } },
  })
  await assert.rejects(built, /store\/orders\/rules\.ts is behind the import boundary/)
})
