import assert from 'node:assert/strict'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { createDataDir, findFreePort, type StoreProcess, startStoreProcess } from '#test/store-process.ts'
import { fullRunOnly, isFullRun } from './full-run.ts'

/*
 * First starts as real processes over a table of machines and settings. Each either works - it answers, says that it is ready, and stops with
 * 0 - or says what is wrong in a line for each thing and ends with another code than 0, without a stack trace.
 */

const root = process.getuid?.() === 0

/** A first start: what is set beside a folder and a port of its own, and the lines that it is to say; none means that it is to work. */
type Start = { settings?: Record<string, string>; lines?: RegExp[]; only?: boolean } & Partial<Place>
/** What is made before and put away after. */
type Place = { place: (dataDir: string) => Promise<{ settings: Record<string, string>; away?: () => void }> }

const stripe = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_PUBLISHABLE_KEY: 'pk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none' }
const live: Record<string, string> = {
  STORE_MODE: 'live',
  PUBLIC_URL: 'https://shop.example',
  SECRET: 'kT4xv0nQe7ZbWq2LmYc9RjUa5Hs1Pd8G',
  STRIPE_SECRET_KEY: 'sk_live_none',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'shop@shop.example',
  ADMIN_EMAIL: 'owner@shop.example',
  TRUST_PROXY: 'on',
}
const { STORE_MODE: _, ...needed } = live

const settingsThatWork: Record<string, Start> = {
  'nothing set': {},
  'everything set to nothing': {
    settings: Object.fromEntries(Object.keys({ ...live, STRIPE_API_URL: '', HOLD_MINUTES: '' }).map((name) => [name, ''])),
  },
  'keys of Stripe, in test mode': { settings: stripe },
  'a card provider elsewhere': { settings: { ...stripe, STRIPE_API_URL: 'http://127.0.0.1:9' } },
  'a whole live shop': { settings: live },
  'a live shop with Google': { settings: { ...live, GOOGLE_CLIENT_ID: 'store', GOOGLE_CLIENT_SECRET: 'none' } },
}

const settingsHalfSet: Record<string, Start> = {
  'live and nothing else': {
    settings: { STORE_MODE: 'live' },
    lines: Object.keys(needed).map((name) => new RegExp(`^${name} is needed in live mode: `)),
  },
  'one of the Stripe keys': { settings: { STRIPE_SECRET_KEY: 'sk_test_none' }, lines: [/^STRIPE_SECRET_KEY, .* belong together/] },
  'a provider without its keys': { settings: { STRIPE_API_URL: 'http://127.0.0.1:9' }, lines: [/^STRIPE_API_URL needs the keys/] },
  'half of Google, live': {
    settings: { ...live, GOOGLE_CLIENT_SECRET: 'none' },
    lines: [/^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together/],
  },
  'half of Google': { settings: { GOOGLE_CLIENT_ID: 'store' }, lines: [/^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together/] },
  'a mail server without a sender': { settings: { SMTP_URL: 'smtp://127.0.0.1:9' }, lines: [/^MAIL_FROM is needed beside SMTP_URL/] },
  ...Object.fromEntries(
    Object.keys(needed).map((name) => [
      `live without ${name}`,
      { settings: { ...live, [name]: '' }, lines: [new RegExp(`^${name} is needed in live mode: `)] },
    ]),
  ),
}

const settingsWronglySet: Record<string, Start> = {
  'five things at once': {
    settings: { STORE_MODE: 'prod', HOLD_MINUTES: '0', ADMIN_EMAIL: 'me', SECRET: 'short', TRUST_PROXY: 'yes' },
    lines: ['STORE_MODE', 'ADMIN_EMAIL', 'HOLD_MINUTES', 'SECRET', 'TRUST_PROXY'].map((name) => new RegExp(`^${name} (is|has) `)),
  },
  'a port that is none': { settings: { PORT: 'http' }, lines: [/^PORT is a number/] },
  'live keys in a demo': {
    settings: { ...stripe, STRIPE_SECRET_KEY: 'sk_live_none', STRIPE_PUBLISHABLE_KEY: 'pk_live_none' },
    lines: [/^STRIPE_SECRET_KEY is a live key: demo mode/, /^STRIPE_PUBLISHABLE_KEY is a live key: demo mode/],
  },
  'test keys in a live shop': {
    settings: { ...live, ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef' },
    lines: [/^STRIPE_SECRET_KEY is a test key: live mode/, /^STRIPE_PUBLISHABLE_KEY is a test key: live mode/],
  },
  'keys of two modes': {
    settings: { ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_none' },
    lines: [/^STRIPE_PUBLISHABLE_KEY is a test key and STRIPE_SECRET_KEY a live key/],
  },
  'a live shop without https, with the cards of a demo and its admin': {
    settings: { ...live, PUBLIC_URL: 'http://shop.example', STRIPE_API_URL: 'http://127.0.0.1:9', ADMIN_EMAIL: 'admin@nucleus.example' },
    lines: [/^PUBLIC_URL begins with https/, /^STRIPE_API_URL is for demo mode only/, /^ADMIN_EMAIL .* is the demo's/],
  },
  'a live shop with a password, a secret and a signing secret that anybody guesses': {
    settings: { ...live, ADMIN_PASSWORD: 'password', SECRET: 'x'.repeat(32), STRIPE_WEBHOOK_SECRET: 'whsec_' },
    lines: [/^STRIPE_WEBHOOK_SECRET is the whole signing secret/, /^SECRET repeats the same few/, /^ADMIN_PASSWORD is one of the first/],
  },
  'an address of another machine': { settings: { HOST: '203.0.113.1' }, lines: [/^HOST 203\.0\.113\.1 is no address of this machine$/] },
  'a port that only root may open': {
    settings: { PORT: '81' },
    lines: [/^Port 81 on 127\.0\.0\.1 may not be opened by this user/],
    only: !root,
  },
}

const machines: Record<string, Start> = {
  'the data is of another PostgreSQL': {
    place: async (dataDir) => {
      const data = path.join(dataDir, 'postgres/data')
      fs.mkdirSync(data, { recursive: true, mode: 0o700 })
      fs.writeFileSync(path.join(data, 'PG_VERSION'), '9.6\n')
      return { settings: {} }
    },
    lines: [/^PostgreSQL did not start on \S+: /],
  },
  'nothing listens where the database should': {
    settings: { DATABASE_URL: 'postgres://me:x@127.0.0.1:1/store' },
    lines: [/^The database store at 127\.0\.0\.1:1 cannot be reached: /],
  },
  'the data folder is a file': {
    place: async (dataDir) => {
      fs.writeFileSync(dataDir, 'a file')
      return { settings: {} }
    },
    lines: [/^DATA_DIR \S+ cannot be written: /],
  },
  'the database hangs up': {
    place: async () => {
      const { server, port } = await aListener((socket) => socket.destroy())
      return { settings: { DATABASE_URL: `postgres://me:x@127.0.0.1:${port}/store` }, away: () => server.close() }
    },
    lines: [/^The database store at 127\.0\.0\.1:\d+ cannot be reached: /],
  },
  'the database says nothing': {
    place: async () => {
      const sockets: net.Socket[] = []
      const { server, port } = await aListener((socket) => void sockets.push(socket))
      const away = () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
      return { settings: { DATABASE_URL: `postgres://me:x@127.0.0.1:${port}/store` }, away }
    },
    lines: [/^The database store at 127\.0\.0\.1:\d+ cannot be reached: /],
  },
  'the database does not know the password': {
    place: anotherDatabase({ password: 'wrong' }),
    lines: [/^The database .* cannot be reached: .*password/],
  },
  'there is no such database': {
    place: anotherDatabase({ pathname: '/nowhere' }),
    lines: [/^The database nowhere .* cannot be reached: .*exist/],
  },
  'the data folder cannot be made, not even by root': {
    settings: { DATA_DIR: '/sys/store' },
    lines: [/^DATA_DIR \/sys\/store cannot be written: /],
  },
  'the data folder is read-only': {
    place: async (dataDir) => {
      fs.mkdirSync(dataDir, { mode: 0o555 })
      return { settings: {} }
    },
    lines: [/^DATA_DIR \S+ cannot be written: /],
    only: !root,
  },
  'the port is taken': {
    place: async () => {
      const { server, port } = await aListener(() => {})
      return { settings: { PORT: `${port}` }, away: () => server.close() }
    },
    lines: [/^Port \d+ on 127\.0\.0\.1 is taken/],
  },
  'root starts it where only root may enter': {
    place: async (dataDir) => {
      fs.chmodSync(path.dirname(dataDir), 0o700)
      return { settings: {} }
    },
    only: root,
  },
}

/** All rows of a group at full size; for every day its first ones, which differ the most. */
const rows = (group: Record<string, Start>, quick: number) =>
  Object.entries(group)
    .filter(([, { only = true }]) => only)
    .slice(0, isFullRun ? undefined : quick)

// What works with nothing set test/start.test.ts looks at more closely.
for (const [sentence, group, quick] of [
  ['a first start with nothing set, or with all that belongs together, works', settingsThatWork, 0],
  ['a first start that is half set says in a line each what is missing', settingsHalfSet, 1],
  ['a first start that is wrongly set says in a line each what is wrong', settingsWronglySet, 1],
  ['on a machine where it cannot work a first start says why in a line', machines, 2],
] as const)
  test(`J1 ${sentence}`, quick === 0 ? fullRunOnly : {}, async (t) => {
    const tried = rows(group, quick)
    const slowest = { seconds: 0, name: '' }
    for (const [name, start] of tried) {
      const before = performance.now()
      await t.test(name, () => begin(start))
      const seconds = (performance.now() - before) / 1000
      if (seconds > slowest.seconds) Object.assign(slowest, { seconds, name })
    }
    t.diagnostic(`${tried.length} starts, the slowest in ${slowest.seconds.toFixed(1)} s (${slowest.name})`)
  })

async function begin({ settings, lines = [], place }: Start) {
  using folder = createDataDir()
  const made = await place?.(folder.dataDir)
  const port = await findFreePort()
  const store = startStoreProcess({
    DATA_DIR: folder.dataDir,
    PORT: `${port}`,
    ...(lines.length > 0 && { ADMIN_PASSWORD: 'so that none is made' }), // its line is no complaint
    ...settings,
    ...made?.settings,
  })
  try {
    if (lines.length > 0) await complains(store, lines)
    else await works(store, port)
  } finally {
    await store.stop()
    made?.away?.()
  }
}

async function works(store: StoreProcess, port: number) {
  await store.ready
  for (const address of ['/healthz', '/readyz', '/', '/allproducts', '/api/tools'])
    assert.equal((await fetch(`http://127.0.0.1:${port}${address}`)).status, 200, address)
  assert.equal(await store.stop(), 0)
}

async function complains(store: StoreProcess, lines: RegExp[]) {
  const opened = await store.ready.catch(() => undefined)
  assert.equal(opened, undefined, `it opens all the same: ${store.output()}`)
  assert.equal(await store.exited, 1)
  const said = store.output().trim().split('\n')
  assert.equal(said.length, lines.length, said.join('\n'))
  for (const [nth, line] of lines.entries()) assert.match(said[nth] ?? '', line)
}

async function aListener(greet: (socket: net.Socket) => void): Promise<{ server: net.Server; port: number }> {
  const server = net.createServer((socket) => greet(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, port }
}

/** The PostgreSQL of the tests, with something else in its address. */
function anotherDatabase(other: Partial<Pick<URL, 'password' | 'pathname'>>): Place['place'] {
  return async () => ({ settings: { DATABASE_URL: Object.assign(new URL(process.env.TEST_POSTGRES ?? ''), other).href } })
}

test('J1 two first starts at once on one folder make one store', fullRunOnly, async () => {
  using folder = createDataDir()
  const stores = [
    startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` }),
    startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` }),
  ]
  const winners = (await Promise.allSettled(stores.map(({ ready }) => ready))).filter(({ status }) => status === 'fulfilled')
  assert.equal(winners.length, 1, stores.map(({ output }) => output()).join('\n'))
  await Promise.all(stores.map((store) => store.stop()))
})

test('J1 SIGTERM in the middle of a first start leaves nothing running and nothing half made', fullRunOnly, async () => {
  const stopAfter = async (afterMs: number) => {
    using folder = createDataDir()
    const store = startStoreProcess({ DATA_DIR: folder.dataDir, PORT: `${await findFreePort()}` })
    await new Promise((wait) => setTimeout(wait, afterMs)) // wherever that falls, on a slow machine or a fast one
    assert.equal(await store.stop(), store.output() ? 0 : 'SIGTERM')
    const left = fs.globSync('postgres/{data/postmaster.pid,data.*,password.*}', { cwd: folder.dataDir })
    assert.deepEqual(left, [], `after ${afterMs} ms`)
  }
  await Promise.all([300, 1200].map(stopAfter))
})
