import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { readSettings } from './settings.ts'
import { StartupError } from './startup-error.ts'

const stripe = { STRIPE_SECRET_KEY: 'sk_test_abc', STRIPE_PUBLISHABLE_KEY: 'pk_test_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' }

/** The lines with which the store does not start. */
function refused(environment: Record<string, string>): string[] {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof StartupError) return error.message.split('\n')
    throw error
  }
  return []
}

test('with nothing set the store runs as a demo on this machine', () => {
  assert.deepEqual(readSettings({}), {
    mode: 'demo',
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: path.resolve('.data'),
    databaseUrl: undefined,
    admin: { email: 'admin@nucleus.example', password: undefined },
    stripe: undefined,
    google: undefined,
    smtpUrl: undefined,
    mailFrom: 'Nucleus of PC <store@nucleus.example>',
    currency: undefined,
    sinceYear: 2017,
    holdMinutes: 1440,
    newBuyerHoldMinutes: 1200,
    buyerLimits: { openOrders: 10, heldPieces: 5000, heldCents: 5_000_000, ordersPerHour: 30 },
    secret: undefined,
    logLevel: 'info',
    trustProxy: false,
  })
})

test('every setting is read', () => {
  const read = readSettings({
    ...stripe,
    STORE_MODE: 'demo',
    STRIPE_API_URL: 'http://127.0.0.1:4000/',
    PORT: '8080',
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://shop.example/',
    DATA_DIR: '/srv/store',
    DATABASE_URL: 'postgresql://user:password@db:5432/store',
    ADMIN_EMAIL: 'Owner@Shop.example',
    ADMIN_PASSWORD: 'a good long password',
    GOOGLE_CLIENT_ID: 'store',
    GOOGLE_CLIENT_SECRET: 'secret',
    SMTP_URL: 'smtps://user:password@mail.example:465',
    MAIL_FROM: 'Shop <shop@shop.example>',
    CURRENCY: 'eur',
    SINCE_YEAR: '1999',
    HOLD_MINUTES: '90',
    HOLD_MINUTES_FIRST: '60',
    BUYER_LIMITS: 'on',
    BUYER_OPEN_ORDERS: '5',
    BUYER_HELD_PIECES: '600',
    BUYER_HELD_AMOUNT: '7000',
    BUYER_ORDERS_AN_HOUR: '8',
    SECRET: 'x'.repeat(32),
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 'on',
    HOME: '/root',
  })
  assert.deepEqual(read, {
    mode: 'demo',
    port: 8080,
    host: '0.0.0.0',
    publicUrl: 'https://shop.example',
    dataDir: '/srv/store',
    databaseUrl: 'postgresql://user:password@db:5432/store',
    admin: { email: 'owner@shop.example', password: 'a good long password' },
    stripe: { secretKey: 'sk_test_abc', publishableKey: 'pk_test_abc', webhookSecret: 'whsec_abc', apiUrl: 'http://127.0.0.1:4000' },
    google: { clientId: 'store', clientSecret: 'secret', issuer: 'https://accounts.google.com' },
    smtpUrl: 'smtps://user:password@mail.example:465',
    mailFrom: 'Shop <shop@shop.example>',
    currency: 'eur',
    sinceYear: 1999,
    holdMinutes: 90,
    newBuyerHoldMinutes: 60,
    buyerLimits: { openOrders: 5, heldPieces: 600, heldCents: 700_000, ordersPerHour: 8 },
    secret: 'x'.repeat(32),
    logLevel: 'warn',
    trustProxy: true,
  })
})

test('the public address follows the port', () => {
  assert.equal(readSettings({ PORT: '8080' }).publicUrl, 'http://localhost:8080')
})

test('the limits of buyers can be lifted in a demo, and a first hold is never longer than the others', () => {
  assert.equal(readSettings({ BUYER_LIMITS: 'off' }).buyerLimits, undefined)
  assert.equal(readSettings({ HOLD_MINUTES: '90' }).newBuyerHoldMinutes, 90)
})

test('the limit of unpaid money is read by its older name, too', () => {
  const heldCents = (environment: Record<string, string>) => readSettings(environment).buyerLimits?.heldCents
  assert.equal(heldCents({ BUYER_HELD_DOLLARS: '7000' }), 700_000)
  assert.throws(() => heldCents({ BUYER_HELD_DOLLARS: '$50' }), { message: /^BUYER_HELD_DOLLARS is a whole number/ })
  assert.equal(heldCents({ BUYER_HELD_DOLLARS: '7000', BUYER_HELD_AMOUNT: '8000' }), 800_000)
  assert.equal(heldCents({ BUYER_HELD_DOLLARS: '7000', BUYER_HELD_AMOUNT: '' }), 700_000)
})

test('the least and the most that a setting says it takes are taken', () => {
  for (const minutes of ['1', '525600']) {
    const { holdMinutes, newBuyerHoldMinutes } = readSettings({ HOLD_MINUTES: minutes, HOLD_MINUTES_FIRST: minutes })
    assert.deepEqual([holdMinutes, newBuyerHoldMinutes], [Number(minutes), Number(minutes)])
  }
  for (const port of ['1', '65515']) assert.equal(readSettings({ PORT: port }).port, Number(port))
  for (const year of ['1900', '2100']) assert.equal(readSettings({ SINCE_YEAR: year }).sinceYear, Number(year))
  for (const most of ['1', '100000000']) {
    const figures = { BUYER_OPEN_ORDERS: most, BUYER_HELD_PIECES: most, BUYER_HELD_AMOUNT: most, BUYER_ORDERS_AN_HOUR: most }
    const limit = Number(most)
    assert.deepEqual(readSettings(figures).buyerLimits, {
      ...{ openOrders: limit, heldPieces: limit, heldCents: limit * 100, ordersPerHour: limit },
    })
  }
})

test('an empty value counts as not set', () => {
  const names = [
    ...Object.keys(stripe),
    'STORE_MODE',
    'PORT',
    'HOST',
    'PUBLIC_URL',
    'DATA_DIR',
    'DATABASE_URL',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
  ]
  const empty = Object.fromEntries(
    [
      ...names,
      'SINCE_YEAR',
      'HOLD_MINUTES',
      'HOLD_MINUTES_FIRST',
      'BUYER_LIMITS',
      'BUYER_OPEN_ORDERS',
      'STRIPE_API_URL',
      'SECRET',
      'LOG_LEVEL',
      'TRUST_PROXY',
    ].map((name) => [name, '']),
  )
  assert.deepEqual(readSettings(empty), readSettings({}))
})

test('a wrong setting is one line that names it', () => {
  for (const [name, values] of Object.entries({
    STORE_MODE: ['prod', 'Demo'],
    PORT: ['0', '-1', '65536', '80.5', 'http', '3000a', ' '],
    PUBLIC_URL: ['shop.example', 'ftp://shop.example', '//shop.example', 'https://shop.example/store'],
    DATABASE_URL: ['mysql://host/store', 'store', 'localhost:5432/store'],
    ADMIN_EMAIL: ['owner', 'owner@'],
    ADMIN_PASSWORD: ['short'],
    STRIPE_SECRET_KEY: ['abc', 'pk_test_abc', 'sk_test_'],
    STRIPE_PUBLISHABLE_KEY: ['abc', 'sk_test_abc'],
    STRIPE_WEBHOOK_SECRET: ['abc', 'whsec_', 'whsec_ '],
    STRIPE_API_URL: [
      'cards.example',
      'ftp://cards.example',
      'https://cards.example/v1',
      'https://cards.example?x=1',
      'https://me@cards.example',
    ],
    HOLD_MINUTES: ['0', '-5', '1.5', 'a day', '525601', 'Infinity'],
    HOLD_MINUTES_FIRST: ['0', 'a day', '525601'],
    BUYER_LIMITS: ['none', 'OFF', '10'],
    BUYER_OPEN_ORDERS: ['0', '-1', '1.5', 'many', '100000001'],
    BUYER_HELD_PIECES: ['0', 'many'],
    BUYER_HELD_AMOUNT: ['0', '$50'],
    BUYER_ORDERS_AN_HOUR: ['0', 'Infinity'],
    SINCE_YEAR: ['17', '3000', 'long ago', '2017.5'],
    SECRET: ['x'.repeat(31)],
    LOG_LEVEL: ['loud'],
    TRUST_PROXY: ['true', '1', 'ON'],
  }))
    for (const value of values) {
      const lines = refused({ ...stripe, [name]: value })
      assert.equal(lines.length, 1, `${name}=${value}: ${lines.join(' | ')}`)
      assert.match(lines[0] ?? '', new RegExp(`^${name} \\w`))
    }
})

test('several wrong settings are a line each', () => {
  const lines = refused({ PORT: 'http', SINCE_YEAR: '17', LOG_LEVEL: 'loud' })
  assert.ok(lines.includes('PORT is a number from 1 to 65515'), lines.join())
  assert.deepEqual(lines.map((line) => line.split(' ')[0]).sort(), ['LOG_LEVEL', 'PORT', 'SINCE_YEAR'])
})

test('some of the Stripe keys without the others are refused', () => {
  const names = Object.keys(stripe)
  for (const missing of names) {
    const some = Object.fromEntries(Object.entries(stripe).filter(([name]) => name !== missing))
    const lines = refused(some)
    assert.equal(lines.length, 1)
    for (const name of names) assert.match(lines[0] ?? '', new RegExp(name))
  }
})

test('a demo never takes live keys', () => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' }
  const both = Object.entries(live)
  assert.deepEqual(refused({ ...stripe, ...live }), [
    'STRIPE_SECRET_KEY is a live key: demo mode takes test keys only',
    'STRIPE_PUBLISHABLE_KEY is a live key: demo mode takes test keys only',
  ])
  for (const [name, value] of [...both, ['STRIPE_SECRET_KEY', 'rk_live_abc'] as const]) {
    const partner = both.find(([other]) => other !== name)?.[0]
    assert.deepEqual(refused({ ...stripe, [name]: value }), [
      `${name} is a live key and ${partner} a test key: demo mode takes test keys only`,
    ])
  }
})

test('a provider elsewhere needs its keys beside it', () => {
  const line =
    'STRIPE_API_URL needs the keys of that provider beside it: STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET'
  assert.deepEqual(refused({ STRIPE_API_URL: 'http://127.0.0.1:4000' }), [line])
  assert.deepEqual(refused({ STRIPE_API_URL: 'http://127.0.0.1:4000', STRIPE_SECRET_KEY: 'sk_test_sandboxAbC1' }), [line])
})

/** Everything that a real shop has, and nothing more. */
const live = {
  STORE_MODE: 'live',
  PUBLIC_URL: 'https://shop.example',
  SECRET: 'kT4xv0nQe7ZbWq2LmYc9RjUa5Hs1Pd8G',
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  SMTP_URL: 'smtps://user:password@mail.example:465',
  MAIL_FROM: 'Shop <shop@shop.example>',
  ADMIN_EMAIL: 'owner@shop.example',
  TRUST_PROXY: 'on',
}

test('a live store has what a real shop needs, its secret key restricted or not', () => {
  for (const secretKey of ['sk_live_abc', 'rk_live_abc']) {
    const settings = readSettings({ ...live, STRIPE_SECRET_KEY: secretKey })
    assert.equal(settings.mode, 'live')
    assert.deepEqual(settings.stripe, {
      secretKey,
      publishableKey: 'pk_live_abc',
      webhookSecret: 'whsec_0123456789abcdef',
      apiUrl: undefined,
    })
  }
  assert.equal(readSettings({ ...live, TRUST_PROXY: 'off' }).trustProxy, false)
})

test('what a live store lacks is a line each, all of them at once', () => {
  const { STORE_MODE, ...needed } = live
  const names = (lines: string[]) => lines.map((line) => line.split(' ')[0])
  assert.deepEqual(names(refused({ STORE_MODE })), Object.keys(needed))
  for (const name of Object.keys(needed)) {
    const lines = refused({ ...live, [name]: '' })
    assert.equal(lines.length, 1, lines.join(' | '))
    assert.match(lines[0] ?? '', new RegExp(`^${name} is needed in live mode: \\w`))
  }
})

test('what only a demo may have is refused in a live store, a line each', () => {
  for (const [name, value, line] of [
    ['PUBLIC_URL', 'http://shop.example', /^PUBLIC_URL begins with https:\/\/ in live mode$/],
    [
      'GOOGLE_CLIENT_ID',
      'store',
      /^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together .*: set both, or none to sign people in with e-mail/,
    ],
    ['GOOGLE_CLIENT_SECRET', 'secret', /^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together/],
    ['GOOGLE_ISSUER', 'http://127.0.0.1:3002', /^GOOGLE_ISSUER begins with https:\/\/ in live mode$/],
    ['STRIPE_API_URL', 'https://cards.example', /^STRIPE_API_URL is for demo mode only/],
    ['ADMIN_EMAIL', 'Admin@Nucleus.example', /^ADMIN_EMAIL admin@nucleus\.example is the demo's/],
    [
      'STRIPE_SECRET_KEY',
      'sk_test_abc',
      /^STRIPE_SECRET_KEY is a test key and STRIPE_PUBLISHABLE_KEY a live key: live mode takes live keys only$/,
    ],
    ['STRIPE_PUBLISHABLE_KEY', 'pk_test_abc', /^STRIPE_PUBLISHABLE_KEY is a test key and STRIPE_SECRET_KEY a live key: live mode/],
    ['HOLD_MINUTES', '1199', /^HOLD_MINUTES is at least 1200 in live mode: people need the time to pay, and cannot ask for more$/],
    [
      'HOLD_MINUTES_FIRST',
      '1199',
      /^HOLD_MINUTES_FIRST is at least 1200 in live mode: people need the time to pay, and cannot ask for more$/,
    ],
    ['BUYER_LIMITS', 'off', /^BUYER_LIMITS is on in live mode: off is for load tests/],
    ['SECRET', 'short', /^SECRET has at least 32 characters$/],
    ['TRUST_PROXY', 'yes', /^TRUST_PROXY is on or off$/],
  ] as const) {
    const google = name === 'GOOGLE_ISSUER' && { GOOGLE_CLIENT_ID: 'store', GOOGLE_CLIENT_SECRET: 'secret' }
    const lines = refused({ ...live, ...google, [name]: value })
    assert.equal(lines.length, 1, lines.join(' | '))
    assert.match(lines[0] ?? '', line)
  }
  assert.deepEqual(refused({ ...live, ...stripe, STRIPE_WEBHOOK_SECRET: live.STRIPE_WEBHOOK_SECRET }), [
    'STRIPE_SECRET_KEY is a test key: live mode takes live keys only',
    'STRIPE_PUBLISHABLE_KEY is a test key: live mode takes live keys only',
  ])
})

test('a live store holds pieces for twenty hours at the least, a demo for as long as it likes', () => {
  const holds = (minutes: string) => ({ HOLD_MINUTES: minutes, HOLD_MINUTES_FIRST: minutes })
  const { holdMinutes, newBuyerHoldMinutes } = readSettings({ ...live, ...holds('1200') })
  assert.deepEqual([holdMinutes, newBuyerHoldMinutes], [1200, 1200])
  assert.deepEqual(
    refused({ ...live, ...holds('1199') }).map((line) => line.split(' ')[0]),
    ['HOLD_MINUTES', 'HOLD_MINUTES_FIRST'],
  )
  assert.equal(readSettings(holds('30')).holdMinutes, 30)
})

test('a live store does without Google', () => {
  assert.equal(readSettings(live).google, undefined)
  const google = { GOOGLE_CLIENT_ID: 'store', GOOGLE_CLIENT_SECRET: 'secret' }
  assert.equal(readSettings({ ...live, ...google }).google?.issuer, 'https://accounts.google.com')
})

test('a live store refuses a secret or a password that a stranger would guess, and a demo does not', () => {
  for (const [name, values, line] of [
    ['ADMIN_PASSWORD', ['password', 'PassWord', 'qwerty123', '12345678'], /^ADMIN_PASSWORD is one of the first that others try: /],
    ['SECRET', ['x'.repeat(32), 'ab'.repeat(20), '1234567'.repeat(5)], /^SECRET repeats the same few characters in live mode: /],
    ['STRIPE_WEBHOOK_SECRET', ['whsec_x', 'whsec_0123456789'], /^STRIPE_WEBHOOK_SECRET is too short for live mode: /],
  ] as const)
    for (const value of values) {
      const lines = refused({ ...live, [name]: value })
      assert.equal(lines.length, 1, lines.join(' | '))
      assert.match(lines[0] ?? '', line)
      assert.deepEqual(refused({ ...stripe, [name]: value }), [])
    }
  for (const secret of ['12345678'.repeat(4), '0123456789'.repeat(4), `${'f00dcafe'.repeat(2)}0123456789abcdef`])
    assert.deepEqual(refused({ ...live, SECRET: secret }), [], 'digits and hexadecimal figures are different enough')
})

test('no line ever writes a key or a secret out', () => {
  const secret = 'Very1Secret'
  for (const mode of ['demo', 'live'])
    for (const kind of ['sk_test_', 'sk_live_', 'pk_live_', 'pk_test_', 'whsec_', ''])
      for (const name of [...Object.keys(stripe), 'SECRET', 'GOOGLE_CLIENT_SECRET', 'ADMIN_PASSWORD'])
        assert.doesNotMatch(refused({ STORE_MODE: mode, [name]: kind + secret }).join('\n'), new RegExp(secret))
})

test('half of what Google or a mail server needs is refused in a line', () => {
  const both =
    'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together (GOOGLE_ISSUER only beside them): set both, or none for the stand-in'
  assert.deepEqual(refused({ GOOGLE_CLIENT_ID: 'store' }), [both])
  assert.deepEqual(refused({ GOOGLE_CLIENT_SECRET: 'secret' }), [both])
  assert.deepEqual(refused({ GOOGLE_ISSUER: 'https://issuer.example' }), [both])
  assert.deepEqual(refused({ SMTP_URL: 'smtp://mail.example' }), [
    'MAIL_FROM is needed beside SMTP_URL: the address that the mails come from',
  ])
  assert.deepEqual(refused({ SMTP_URL: 'mail.example', MAIL_FROM: 'nobody', GOOGLE_ISSUER: 'google' }), [
    'GOOGLE_ISSUER is an address such as https://accounts.google.com',
    'SMTP_URL is an address such as smtps://user:password@mail.example:465',
    'MAIL_FROM is a sender such as Nucleus of PC <shop@shop.example>',
  ])
})
