import path from 'node:path'
import * as z from 'zod'
import { CannotStart } from './cannot-start.ts'
import { isCommonPassword } from './common-passwords.ts'

const demoAdmin = 'admin@nucleus.example'
const ports = 'is a number from 1 to 65515'
const port = z.coerce.number(ports).int(ports).min(1, ports).max(65_515, ports)
const wholeFigure = 'is a whole number from 1 to 100000000'
const figure = z.coerce.number(wholeFigure).int(wholeFigure).min(1, wholeFigure).max(100_000_000, wholeFigure)
const wholeMinutes = 'is a whole number of minutes from 1 to 525600, which is a year'

/** An address that is a place and nothing more: paths are the store's or the provider's own. */
const origin = (protocol: RegExp, error: string) =>
  z.url({ protocol, error }).refine((address) => /^[a-z]+:\/\/[^/?#@\s]+\/*$/i.test(address), error)
const withoutSlash = (address: string) => address.replace(/\/+$/, '')

const Settings = z.object({
  STORE_MODE: z.enum(['demo', 'live'], 'is demo or live').default('demo'),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: origin(/^https?$/, 'is an address such as https://shop.example').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'is an address such as postgres://user:password@host:5432/store' }).optional(),
  ADMIN_EMAIL: z.email('is an e-mail address').default(demoAdmin),
  ADMIN_PASSWORD: z.string().min(8, 'has at least 8 characters').optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, 'begins with sk_test_ or rk_test_ in demo mode, with sk_live_ or rk_live_ in live mode')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'begins with pk_test_ in demo mode, with pk_live_ in live mode')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\S+$/, 'is the whole signing secret: whsec_ and what follows it')
    .optional(),
  STRIPE_API_URL: origin(/^https?$/, 'is an address such as https://cards.example, without a path').optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: z.url({ protocol: /^https?$/, error: 'is an address such as https://accounts.google.com' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is an address such as smtps://user:password@mail.example:465' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*<[^<>\s]+@[^<>\s]+>$|^[^<>\s]+@[^<>\s]+$/, 'is a sender such as Nucleus of PC <shop@shop.example>')
    .optional(),
  SINCE_YEAR: z.coerce.number('is a year').int('is a year').min(1900, 'is a year').max(2100, 'is a year').default(2017),
  HOLD_MINUTES: z.coerce.number(wholeMinutes).int(wholeMinutes).min(1, wholeMinutes).max(525_600, wholeMinutes).default(1440),
  HOLD_MINUTES_FIRST: z.coerce.number(wholeMinutes).int(wholeMinutes).min(1, wholeMinutes).max(525_600, wholeMinutes).default(1200),
  BUYER_LIMITS: z.enum(['on', 'off'], 'is on or off').default('on'),
  BUYER_OPEN_ORDERS: figure.default(10),
  BUYER_HELD_PIECES: figure.default(5000),
  BUYER_HELD_DOLLARS: figure.default(50_000),
  BUYER_ORDERS_AN_HOUR: figure.default(30),
  SECRET: z.string().min(32, 'has at least 32 characters').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is fatal, error, warn, info, debug, trace or silent')
    .default('info'),
  TRUST_PROXY: z.enum(['on', 'off'], 'is on or off').default('off'),
})

type Given = Partial<Record<keyof typeof Settings.shape, string>>

/**
 * The store's settings from the environment (house rules and defaults: README). An empty value counts as not set.
 * @throws {CannotStart} with one line for each setting that is wrong or, in live mode, missing
 */
export function readSettings(environment: Record<string, string | undefined>) {
  const given: Given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== '' && name in Settings.shape))
  const read = Settings.safeParse(given)
  const lines = new Map(read.error?.issues.map(({ path, message }) => [String(path[0]), `${String(path[0])} ${message}`]))
  const mode = Settings.shape.STORE_MODE.safeParse(given.STORE_MODE).data
  if (mode) for (const [name, line] of mode === 'live' ? notLive(given) : notDemo(given)) if (!lines.has(name)) lines.set(name, line)
  if (!read.success || lines.size > 0) throw new CannotStart([...lines.values()].join('\n'))
  const { data } = read

  return {
    mode: data.STORE_MODE,
    port: data.PORT,
    host: data.HOST,
    publicUrl: withoutSlash(data.PUBLIC_URL ?? `http://localhost:${data.PORT}`),
    dataDir: path.resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    admin: { email: data.ADMIN_EMAIL.toLowerCase(), password: data.ADMIN_PASSWORD },
    stripe:
      data.STRIPE_SECRET_KEY && data.STRIPE_PUBLISHABLE_KEY && data.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: data.STRIPE_SECRET_KEY,
            publishableKey: data.STRIPE_PUBLISHABLE_KEY,
            webhookSecret: data.STRIPE_WEBHOOK_SECRET,
            /** where Stripe's API is spoken to, if not at Stripe */
            apiUrl: data.STRIPE_API_URL && withoutSlash(data.STRIPE_API_URL),
          }
        : undefined,
    google:
      data.GOOGLE_CLIENT_ID && data.GOOGLE_CLIENT_SECRET
        ? {
            clientId: data.GOOGLE_CLIENT_ID,
            clientSecret: data.GOOGLE_CLIENT_SECRET,
            issuer: withoutSlash(data.GOOGLE_ISSUER ?? 'https://accounts.google.com'),
          }
        : undefined,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM ?? 'Nucleus of PC <store@nucleus.example>',
    sinceYear: data.SINCE_YEAR,
    /** how long an unpaid order keeps its pieces */
    holdMinutes: data.HOLD_MINUTES,
    /** the same of a buyer who has never paid */
    holdMinutesFirst: Math.min(data.HOLD_MINUTES_FIRST, data.HOLD_MINUTES),
    /** what a buyer may have waiting for payment; undefined: as much as they want */
    buyerLimits:
      data.BUYER_LIMITS === 'on'
        ? {
            openOrders: data.BUYER_OPEN_ORDERS,
            heldPieces: data.BUYER_HELD_PIECES,
            heldDollars: data.BUYER_HELD_DOLLARS,
            ordersAnHour: data.BUYER_ORDERS_AN_HOUR,
          }
        : undefined,
    secret: data.SECRET,
    logLevel: data.LOG_LEVEL,
    trustProxy: data.TRUST_PROXY === 'on',
  }
}

export type Settings = ReturnType<typeof readSettings>

const stripeKeys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
const modeOfKey = (key = '') => /^[a-z]+_(test|live)_/.exec(key)?.[1]

type Fault = [name: keyof Given, line: string]

/** What keeps a demo from starting: half of what belongs together, and keys that take real money. */
function* notDemo(given: Given): Generator<Fault> {
  yield* wrongKeys(given, 'demo')
  const missing = stripeKeys.find((name) => !given[name])
  if (missing && given.STRIPE_API_URL)
    yield [
      'STRIPE_API_URL',
      'STRIPE_API_URL needs the keys of that provider beside it: STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
    ]
  else if (missing && stripeKeys.some((name) => given[name]))
    yield [
      missing,
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET belong together: set all three, or none for the card sandbox',
    ]

  yield* halfOfGoogle(given, 'for the stand-in')
  if (given.SMTP_URL && !given.MAIL_FROM) yield ['MAIL_FROM', 'MAIL_FROM is needed beside SMTP_URL: the address that the mails come from']
}

/** @param without what none of the settings stands for: "for the stand-in" */
function* halfOfGoogle(given: Given, without: string): Generator<Fault> {
  if (Boolean(given.GOOGLE_CLIENT_ID) === Boolean(given.GOOGLE_CLIENT_SECRET) && (!given.GOOGLE_ISSUER || given.GOOGLE_CLIENT_ID)) return
  yield [
    given.GOOGLE_ISSUER ? 'GOOGLE_ISSUER' : given.GOOGLE_CLIENT_ID ? 'GOOGLE_CLIENT_SECRET' : 'GOOGLE_CLIENT_ID',
    `GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together (GOOGLE_ISSUER only beside them): set both, or none ${without}`,
  ]
}

/** What a real shop cannot do without, and where it comes from. */
const neededLive: Fault[] = [
  ['PUBLIC_URL', 'the https address that people type, such as https://shop.example'],
  ['SECRET', 'at least 32 characters that nobody can guess, which sign the sessions (openssl rand -base64 32)'],
  ['STRIPE_SECRET_KEY', "Stripe's live secret key (sk_live_...) or a restricted one (rk_live_...)"],
  ['STRIPE_PUBLISHABLE_KEY', "Stripe's live publishable key (pk_live_...)"],
  ['STRIPE_WEBHOOK_SECRET', "the signing secret (whsec_...) of the webhook endpoint PUBLIC_URL/webhooks/stripe in Stripe's dashboard"],
  ['SMTP_URL', 'the mail server, such as smtps://user:password@mail.example:465'],
  ['MAIL_FROM', 'the sender of the mails, such as Nucleus of PC <shop@shop.example>'],
  ['ADMIN_EMAIL', 'the e-mail of the first admin'],
  [
    'TRUST_PROXY',
    "on behind a proxy that adds the client's address to X-Forwarded-For, off without one; said wrongly, all customers share one address and its limits, or anybody makes up theirs",
  ],
]

const shortestLiveHold = 30
/** Stripe's own have 32 characters and more behind the prefix. */
const shortestWebhookSecret = 'whsec_'.length + 16
/** 32 random characters have 10 different ones even where they are digits alone; 32 that somebody pressed have fewer. */
const fewestDifferentCharacters = 8

/** What keeps a live store from starting: what is missing, and what only a demo may have. */
function* notLive(given: Given): Generator<Fault> {
  for (const [name, what] of neededLive) if (!given[name]) yield [name, `${name} is needed in live mode: ${what}`]
  yield* wrongKeys(given, 'live')
  yield* halfOfGoogle(given, 'to sign people in with e-mail and password alone')
  yield* guessable(given)
  for (const name of ['PUBLIC_URL', 'GOOGLE_ISSUER'] as const)
    if (given[name] && !/^https:/i.test(given[name])) yield [name, `${name} begins with https:// in live mode`]
  if (given.STRIPE_API_URL) yield ['STRIPE_API_URL', 'STRIPE_API_URL is for demo mode only: a live store takes its money at Stripe itself']
  for (const name of ['HOLD_MINUTES', 'HOLD_MINUTES_FIRST'] as const)
    if (given[name] && Number(given[name]) < shortestLiveHold)
      yield [name, `${name} is at least ${shortestLiveHold} in live mode: people need the time to pay`]
  if (given.BUYER_LIMITS === 'off')
    yield [
      'BUYER_LIMITS',
      'BUYER_LIMITS is on in live mode: off is for load tests, and lets one account hold the whole stock without paying',
    ]
  if (given.ADMIN_EMAIL?.toLowerCase() === demoAdmin)
    yield ['ADMIN_EMAIL', `ADMIN_EMAIL ${demoAdmin} is the demo's: live mode needs an e-mail that is read`]
}

/** What a stranger would find out by trying. None of it is ever written out. */
function* guessable({ SECRET, ADMIN_PASSWORD, STRIPE_WEBHOOK_SECRET }: Given): Generator<Fault> {
  if (SECRET && new Set(SECRET).size < fewestDifferentCharacters)
    yield ['SECRET', 'SECRET repeats the same few characters in live mode: take a random one (openssl rand -base64 32)']
  if (ADMIN_PASSWORD && isCommonPassword(ADMIN_PASSWORD))
    yield [
      'ADMIN_PASSWORD',
      'ADMIN_PASSWORD is one of the first that others try: choose another for live mode, or leave it out and the start makes one',
    ]
  if (STRIPE_WEBHOOK_SECRET && STRIPE_WEBHOOK_SECRET.length < shortestWebhookSecret)
    yield [
      'STRIPE_WEBHOOK_SECRET',
      "STRIPE_WEBHOOK_SECRET is too short for live mode: copy the whole signing secret from Stripe's dashboard",
    ]
}

/** Keys of the other mode, beside each other or alone. A key is never written out. */
function* wrongKeys(given: Given, mode: 'demo' | 'live'): Generator<Fault> {
  const [wanted, other] = mode === 'live' ? ['live', 'test'] : ['test', 'live']
  for (const [name, partner] of [
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY'],
  ] as const)
    if (modeOfKey(given[name]) === other)
      yield [
        name,
        `${name} is a ${other} key${modeOfKey(given[partner]) === wanted ? ` and ${partner} a ${wanted} key` : ''}: ${mode} mode takes ${wanted} keys only`,
      ]
}
