import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { embeddedConnectionString } from '#platform/embedded-postgres/connection.ts'
import { embeddedDatabaseDir } from '#platform/embedded-postgres/database-dir.ts'
import { fullRunOnly } from '../proof/full-run.ts'
import { createInitializedDataDir } from './initialized-data-dir.ts'
import { createDataDir, findFreePort, type StoreProcess, startStoreProcess } from './store-process.ts'

/** What a refused start says: lines for people, no stack, and a code that is not zero. */
async function refused(store: StoreProcess): Promise<string> {
  const code = await store.exited
  assert.equal(code, 1, store.output())
  assert.doesNotMatch(store.output(), /\n\s+at |node:internal/)
  return store.output().trim()
}

/** Whether the only password of this store is kept at better-auth's cost: scrypt, N = 16384, r = 16. */
async function isKeptWell(dataDir: string, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: embeddedConnectionString(dataDir) })
  await client.connect()
  const { rows } = await client.query<{ password: string }>('select password from accounts').finally(() => client.end())
  const [salt = '', key] = rows[0]?.password.split(':') ?? []
  return scryptSync(password, salt, 64, { N: 16_384, r: 16, maxmem: 2 ** 26 }).toString('hex') === key
}

async function setTimeZone(dataDir: string, timeZone: string): Promise<void> {
  const client = new pg.Client({ connectionString: embeddedConnectionString(dataDir) })
  await client.connect()
  await client.query('insert into delivery_settings (time_zone) values ($1)', [timeZone]).finally(() => client.end())
}

const toolsOf = async (address: string) => (await (await fetch(`${address}/api/tools`)).json()) as { _id: string }[]

/** In a folder that only root may enter, as PostgreSQL is run by another user. */
const isRoot = process.getuid?.() === 0
const liesElsewhere = /the database lies in \/var\/lib\/nucleus-of-pc\/\w+/

test('the first start makes everything, the next finds it again, and the admin is shown once', async (t) => {
  using folder = createDataDir(isRoot ? 0o700 : undefined)
  const settings = { DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}`, SINCE_YEAR: '1999' }

  const first = startStoreProcess(settings, { quickPasswords: false })
  const address = await first.ready
  if (isRoot) assert.match(first.output(), liesElsewhere)
  const tools = await toolsOf(address)
  const [, shown = ''] = first.output().match(/admin@nucleus\.example {2}password (\S{12,})/) ?? []
  assert.ok(tools.length >= 120)
  assert.equal(await isKeptWell(folder.dataDir, shown), true, 'no store but those of tests keeps passwords cheaply')

  await t.test('the footer of every page says since when, as SINCE_YEAR has it', async () => {
    for (const screen of ['/', '/blogs', '/login', '/dashboard', '/no-such-page']) {
      const page = await (await fetch(address + screen)).text()
      assert.match(page.replaceAll('<!-- -->', ''), /Providing reliable tech since 1999</, screen)
    }
  })

  first.child.kill('SIGKILL')
  assert.equal(await first.exited, 'SIGKILL')
  await setTimeZone(folder.dataDir, 'Europe/Berlin') // its database runs on
  const second = startStoreProcess(settings)
  await t.test('a store that was killed leaves its database running, and the next start takes it over with all in it', async () => {
    assert.deepEqual(await toolsOf(await second.ready), tools)
    assert.doesNotMatch(second.output(), /password/)
  })

  await t.test('a process says times in the zone of the database from its start', async () => {
    assert.match(await (await fetch(`${await second.ready}/blogs`)).text(), /<html[^>]* data-time-zone="Europe\/Berlin"/)
  })

  const pidFile = path.join(embeddedDatabaseDir(folder.dataDir), 'data/postmaster.pid')
  const left = fs.readFileSync(pidFile, 'utf8')
  await t.test('SIGTERM, also twice, ends the store with 0 and stops its database', async () => {
    second.child.kill('SIGTERM')
    second.child.kill('SIGTERM')

    assert.equal(await second.exited, 0)
    assert.ok(!fs.existsSync(pidFile))
  })

  await t.test('a process id left in postmaster.pid that belongs to somebody else by now does not stop the start', async () => {
    fs.writeFileSync(pidFile, left.replace(/^\d+/, `${process.pid}`))

    const third = startStoreProcess(settings)
    assert.deepEqual(await toolsOf(await third.ready), tools)
    assert.equal(await third.stop(), 0)
  })
})

test('a taken port stops the start in one line, and the database with it', async () => {
  using folder = await createInitializedDataDir()
  const port = await findFreePort()
  const other = net.createServer().listen(port, '127.0.0.1')
  try {
    const said = await refused(startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${port}` }))
    const [admin = '', line, ...more] = said.split('\n')
    assert.match(admin, /password \S{12,}/, 'the password is made now and never shown again')
    assert.equal(line, `Port ${port} on 127.0.0.1 is taken: stop what listens there, or set PORT to another`)
    assert.deepEqual(more, [])
    assert.deepEqual(fs.globSync(path.join(folder.dataDir, 'postgres/data/postmaster.pid')), [])
  } finally {
    other.close()
  }
})

test('as root, in a folder that only root may enter, the database lies elsewhere and is found again', {
  skip: !isRoot || fullRunOnly.skip,
}, async () => {
  using folder = createDataDir(0o700)
  const settings = { DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` }
  const first = startStoreProcess(settings)
  const tools = await toolsOf(await first.ready)
  assert.match(first.output(), liesElsewhere)
  assert.equal(await first.stop(), 0)

  const second = startStoreProcess(settings)
  assert.deepEqual(await toolsOf(await second.ready), tools)
  assert.equal(await second.stop(), 0)

  // Whoever deletes the data folder means the store in it: what lay elsewhere is put aside, not taken for the new one's.
  fs.rmSync(folder.dataDir, { recursive: true })
  const third = startStoreProcess(settings)
  await third.ready
  assert.match(third.output(), /password \S{12,}/)
  const aside = third.output().match(/put aside as (\S+)/)?.[1] ?? ''
  assert.ok(fs.existsSync(path.join(aside, 'data')))
  assert.equal(await third.stop(), 0)
  fs.rmSync(aside, { recursive: true })
})
