import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { embeddedConnection } from '#platform/embedded-postgres.ts'
import { anOpenedDataFolder } from './opened-store.ts'
import { aDataFolder, freePort, type StoreProcess, startStore } from './process.ts'

/** What a refused start says: lines for people, no stack, and a code that is not zero. */
async function refused(store: StoreProcess): Promise<string> {
  const code = await store.ended
  assert.equal(code, 1, store.said())
  assert.doesNotMatch(store.said(), /\n\s+at |node:internal/)
  return store.said().trim()
}

/** Whether the only password of this store is kept at better-auth's cost: scrypt, N = 16384, r = 16. */
async function isKeptWell(dataDir: string, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: embeddedConnection(dataDir) })
  await client.connect()
  const { rows } = await client.query<{ password: string }>('select password from accounts').finally(() => client.end())
  const [salt = '', key] = rows[0]?.password.split(':') ?? []
  return scryptSync(password, salt, 64, { N: 16_384, r: 16, maxmem: 2 ** 26 }).toString('hex') === key
}

const toolsOf = async (address: string) => (await (await fetch(`${address}/api/tools`)).json()) as { _id: string }[]

test('the first start makes everything, the next finds it again, and the admin is shown once', async () => {
  using folder = aDataFolder()
  const settings = { DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }

  const first = startStore(settings, { quickPasswords: false })
  const tools = await toolsOf(await first.opened)
  const [, shown = ''] = first.said().match(/admin@nucleus\.example {2}password (\S{12,})/) ?? []
  assert.ok(tools.length >= 120)
  assert.equal(await isKeptWell(folder.dataDir, shown), true, 'no store but those of tests keeps passwords cheaply')
  assert.equal(await first.stop(), 0)

  const second = startStore(settings)
  assert.deepEqual(await toolsOf(await second.opened), tools)
  assert.doesNotMatch(second.said(), /password/)
  assert.equal(await second.stop(), 0)
})

test('the footer of every page says since when, as SINCE_YEAR has it', async (t) => {
  using folder = await anOpenedDataFolder()
  const store = startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}`, SINCE_YEAR: '1999' })
  const address = await store.opened
  const screens = ['/', '/blogs', '/login', '/dashboard', '/no-such-page']
  const pages = await Promise.all(screens.map(async (screen) => (await fetch(address + screen)).text()))

  await t.test('SIGTERM, also twice, ends the store with 0 and stops its database', async () => {
    const pid = fs.globSync(path.join(folder.dataDir, 'postgres/data/postmaster.pid'))
    assert.equal(pid.length, 1)

    store.child.kill('SIGTERM')
    store.child.kill('SIGTERM')

    assert.equal(await store.ended, 0)
    assert.ok(!fs.existsSync(pid[0] ?? ''))
  })
  for (const [place, page] of pages.entries())
    assert.match(page.replaceAll('<!-- -->', ''), /Providing reliable tech since 1999</, screens[place])
})

test('a store that was killed leaves its database running, and the next start takes it over with all that was in it', async (t) => {
  using folder = await anOpenedDataFolder()
  const settings = { DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }
  const killed = startStore(settings)
  const tools = await toolsOf(await killed.opened)
  killed.child.kill('SIGKILL')
  assert.equal(await killed.ended, 'SIGKILL')

  const next = startStore(settings)
  assert.deepEqual(await toolsOf(await next.opened), tools)

  await t.test('a process id left in postmaster.pid that belongs to somebody else by now does not stop the start', async () => {
    const file = path.join(folder.dataDir, 'postgres/data/postmaster.pid')
    const left = fs.readFileSync(file, 'utf8').replace(/^\d+/, `${process.pid}`)
    assert.equal(await next.stop(), 0)
    fs.writeFileSync(file, left)

    const last = startStore(settings)
    assert.deepEqual(await toolsOf(await last.opened), tools)
    assert.equal(await last.stop(), 0)
  })
})

test('two first starts at once on one folder make one store', async () => {
  using folder = aDataFolder()
  const stores = [
    startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }),
    startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }),
  ]
  const winners = (await Promise.allSettled(stores.map(({ opened }) => opened))).filter(({ status }) => status === 'fulfilled')
  assert.equal(winners.length, 1, stores.map(({ said }) => said()).join('\n'))
  await Promise.all(stores.map((store) => store.stop()))
})

test('a taken port stops the start in one line, and the database with it', async () => {
  using folder = await anOpenedDataFolder()
  const port = await freePort()
  const other = net.createServer().listen(port, '127.0.0.1')
  try {
    const said = await refused(startStore({ DATA_DIR: folder.dataDir, PORT: `${port}` }))
    const [admin = '', line, ...more] = said.split('\n')
    assert.match(admin, /password \S{12,}/, 'the password is made now and never shown again')
    assert.equal(line, `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT to another`)
    assert.deepEqual(more, [])
    assert.deepEqual(fs.globSync(path.join(folder.dataDir, 'postgres/data/postmaster.pid')), [])
  } finally {
    other.close()
  }
})

test('SIGTERM in the middle of a first start leaves nothing running and nothing half made', async () => {
  const stopAfter = async (afterMs: number) => {
    using folder = aDataFolder()
    const store = startStore({ DATA_DIR: folder.dataDir, PORT: `${await freePort()}` })
    await new Promise((wait) => setTimeout(wait, afterMs)) // wherever that falls, on a slow machine or a fast one
    assert.equal(await store.stop(), store.said() ? 0 : 'SIGTERM')
    const left = fs.globSync('postgres/{data/postmaster.pid,data.*,password.*}', { cwd: folder.dataDir })
    assert.deepEqual(left, [], `after ${afterMs} ms`)
  }
  await Promise.all([300, 900, 1500].map(stopAfter))
})

test('as root, in a folder that only root may enter, the database lies elsewhere and is found again', {
  skip: process.getuid?.() !== 0,
}, async () => {
  using folder = aDataFolder(0o700)
  const settings = { DATA_DIR: folder.dataDir, PORT: `${await freePort()}` }
  const first = startStore(settings)
  const tools = await toolsOf(await first.opened)
  assert.match(first.said(), /the database lies in \/var\/lib\/nucleus-of-pc\/\w+/)
  assert.equal(await first.stop(), 0)

  const second = startStore(settings)
  assert.deepEqual(await toolsOf(await second.opened), tools)
  assert.equal(await second.stop(), 0)

  // Whoever deletes the data folder means the store in it: what lay elsewhere is put aside, not taken for the new one's.
  fs.rmSync(folder.dataDir, { recursive: true })
  const third = startStore(settings)
  await third.opened
  assert.match(third.said(), /password \S{12,}/)
  const aside = third.said().match(/put aside as (\S+)/)?.[1] ?? ''
  assert.ok(fs.existsSync(path.join(aside, 'data')))
  assert.equal(await third.stop(), 0)
  fs.rmSync(aside, { recursive: true })
})
