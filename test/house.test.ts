import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { rooms } from '#store/rooms.ts'

const house = path.join(import.meta.dirname, '..')
const imports = readImports()

test('a room imports only itself and the rooms before it', () => {
  assert.deepEqual(
    breaking(({ from, to }) => rank(from) >= 0 && rank(to) > rank(from)),
    [],
  )
})

test('the calls of a room are opened by rooms.ts alone', () => {
  assert.deepEqual(
    breaking(({ from, to }) => to.endsWith('/api.ts') && from !== 'store/rooms.ts'),
    [],
  )
})

test('plumbing knows no room', () => {
  assert.deepEqual(
    breaking(({ from, to }) => /^(platform|web)\//.test(from) && rank(to) >= 0),
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

test('every folder of the business is a room', () => {
  const folders = globSync('store/*/', { cwd: house }).map((folder) => path.basename(folder))
  assert.deepEqual(folders.sort(), [...rooms].sort())
})

test('there is no drawer without a name', () => {
  assert.deepEqual(
    globSync('{store,platform,web,demo,test,bench,e2e,scripts}/**/{util,utils,lib,helpers,common,misc}{,.*}', { cwd: house }),
    [],
  )
})

type Import = { from: string; to: string }
const rank = (file: string) => rooms.findIndex((room) => file.startsWith(`store/${room}/`))
const breaking = (law: (found: Import) => boolean) => imports.filter(law).map(({ from, to }) => `${from} imports ${to}`)

function readImports(): Import[] {
  const found = globSync('{store,platform,web}/**/*.{ts,tsx}', { cwd: house })
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
