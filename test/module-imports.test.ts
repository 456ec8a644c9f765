import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { modules } from '#store/modules.ts'

const house = path.join(import.meta.dirname, '..')
const imports = readImports()

test('a module imports only itself and the modules before it', () => {
  assert.deepEqual(
    breaking(({ from, to }) => rank(from) >= 0 && rank(to) > rank(from)),
    [],
  )
})

test('the routes of a module are registered by modules.ts alone', () => {
  assert.deepEqual(
    breaking(({ from, to }) => to.endsWith('/api.ts') && from !== 'store/modules.ts'),
    [],
  )
  assert.deepEqual(
    breaking(({ from, to }) => to.endsWith('-routes.ts') && from !== `${path.dirname(to)}/api.ts`),
    [],
  )
})

test('an order knows its payment as a row, and nothing of how it is paid', () => {
  assert.deepEqual(
    breaking(({ from, to }) => /^store\/orders\/[^/]+$/.test(from) && to.startsWith('store/orders/payments/')),
    [],
  )
})

test('platform and web import nothing of the store, and shared imports nothing of any of them', () => {
  assert.deepEqual(
    breaking(
      ({ from, to }) =>
        (/^(platform|web)\//.test(from) && to.startsWith('store/')) || (from.startsWith('shared/') && !to.startsWith('shared/')),
    ),
    [],
  )
})

test('the store knows nothing of what stands in for the outside world in demo mode', () => {
  assert.deepEqual(
    breaking(({ from, to }) => /^(store|platform|web)\//.test(from) && to.startsWith('demo/')),
    [],
  )
})

test('browser plumbing knows no server plumbing', () => {
  assert.deepEqual(
    breaking(({ from, to }) => /^(web|store\/\w+\/screens)\//.test(from) && to.startsWith('platform/')),
    [],
  )
})

test('every folder of the business is a module', () => {
  const folders = globSync('store/*/', { cwd: house }).map((folder) => path.basename(folder))
  assert.deepEqual(folders.sort(), [...modules].sort())
})

test('there is no drawer without a name', () => {
  assert.deepEqual(
    globSync('{store,platform,web,shared,demo,test,bench,e2e,scripts}/**/{util,utils,lib,helpers,common,misc}{,.*}', { cwd: house }),
    [],
  )
})

type Import = { from: string; to: string }
const rank = (file: string) => modules.findIndex((name) => file.startsWith(`store/${name}/`))
const breaking = (law: (found: Import) => boolean) => imports.filter(law).map(({ from, to }) => `${from} imports ${to}`)

function readImports(): Import[] {
  const found = globSync('{store,platform,web,shared}/**/*.{ts,tsx}', { cwd: house })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((from) =>
      [...readFileSync(path.join(house, from), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([#.][^']+)'/g)].map(([, specifier = '']) => ({
        from,
        to: specifier.startsWith('#') ? specifier.slice(1) : path.posix.join(path.posix.dirname(from), specifier),
      })),
    )
  assert.ok(found.length > 100, 'the imports of the house are read')
  return found
}
