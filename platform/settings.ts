// zod reads each variable. The rules about several of them together and about live mode are beyond libraries for settings, such as envalid.

import path from 'node:path'
import * as z from 'zod'
import { currencyCodes } from '#shared/currencies.ts'
import { amountToCents } from '#shared/money.ts'
import { isCommonPassword } from './common-passwords.ts'
import { StartupError } from './startup-error.ts'

const demoAdminEmail = 'admin@nucleus.example'
const portMessage = 'is a number from 1 to 65515'
const portSchema = z.coerce.number(portMessage).int(portMessage).min(1, portMessage).max(65_515, portMessage)
const positiveIntegerMessage = 'is a whole number from 1 to 100000000'
const positiveIntegerSchema = z.coerce
  .number(positiveIntegerMessage)
  .int(positiveIntegerMessage)
  .min(1, positiveIntegerMessage)
  .max(100_000_000, positiveIntegerMessage)
const minutesMessage = 'is a whole number of minutes from 1 to 525600, which is a year'

/** A URL without path, query, fragment or credentials: paths are appended by the store. */
const originSchema = (protocol: RegExp, error: string) =>
  z.url({ protocol, error }).refine((address) => /^[a-z]+:\/\/[^/?#@\s]+\/*$/i.test(address), error)
const stripTrailingSlashes = (address: string) => address.replace(/\/+$/, '')

const Settings = z.object({
  STORE_MODE: z.enum(['demo', 'live'], 'is demo or live').default('demo'),
  PORT: portSchema.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: originSchema(/^https?$/, 'is an address such as https://shop.example').optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'is an address such as postgres://user:password@host:5432/store' }).optional(),
  ADMIN_EMAIL: z.email('is an e-mail address').default(demoAdminEmail),
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
  STRIPE_API_URL: originSchema(/^https?$/, 'is an address such as https://cards.example, without a path').optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: z.url({ protocol: /^https?$/, error: 'is an address such as https://accounts.google.com' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is an address such as smtps://user:password@mail.example:465' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*<[^<>\s]+@[^<>\s]+>$|^[^<>\s]+@[^<>\s]+$/, 'is a sender such as Nucleus of PC <shop@shop.example>')
    .optional(),
  CURRENCY: z
    .string()
    .toLowerCase()
    .pipe(z.enum(currencyCodes, `is one of ${currencyCodes.join(', ').toUpperCase()}`))
    .optional(),
  SINCE_YEAR: z.coerce.number('is a year').int('is a year').min(1900, 'is a year').max(2100, 'is a year').default(2017),
  HOLD_MINUTES: z.coerce.number(minutesMessage).int(minutesMessage).min(1, minutesMessage).max(525_600, minutesMessage).default(1440),
  HOLD_MINUTES_FIRST: z.coerce.number(minutesMessage).int(minutesMessage).min(1, minutesMessage).max(525_600, minutesMessage).default(1200),
  BUYER_LIMITS: z.enum(['on', 'off'], 'is on or off').default('on'),
  BUYER_OPEN_ORDERS: positiveIntegerSchema.default(10),
  BUYER_HELD_PIECES: positiveIntegerSchema.default(5000),
  BUYER_HELD_AMOUNT: positiveIntegerSchema.default(50_000),
  BUYER_ORDERS_AN_HOUR: positiveIntegerSchema.default(30),
  SECRET: z.string().min(32, 'has at least 32 characters').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is fatal, error, warn, info, debug, trace or silent')
    .default('info'),
  TRUST_PROXY: z.enum(['on', 'off'], 'is on or off').default('off'),
})

const withoutEmptyValues = (environment: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

type EnvironmentValues = Partial<Record<keyof typeof Settings.shape, string>>

type SettingValues = z.output<typeof Settings>

const stripeSettings = ({ STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL }: SettingValues) =>
  STRIPE_SECRET_KEY && STRIPE_PUBLISHABLE_KEY && STRIPE_WEBHOOK_SECRET
    ? {
        secretKey: STRIPE_SECRET_KEY,
        publishableKey: STRIPE_PUBLISHABLE_KEY,
        webhookSecret: STRIPE_WEBHOOK_SECRET,
        /** base URL of the Stripe API, if not Stripe's own */
        apiUrl: STRIPE_API_URL && stripTrailingSlashes(STRIPE_API_URL),
      }
    : undefined

const googleSettings = ({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER }: SettingValues) =>
  GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET
    ? {
        clientId: GOOGLE_CLIENT_ID,
        clientSecret: GOOGLE_CLIENT_SECRET,
        issuer: stripTrailingSlashes(GOOGLE_ISSUER ?? 'https://accounts.google.com'),
      }
    : undefined

/**
 * Reads the settings from environment variables (documented with their defaults in the README). An empty value counts as not set.
 * @throws {StartupError} with one line for each setting that is invalid or, in live mode, missing
 */
export function readSettings(environment: Record<string, string | undefined>) {
  const renamed = { BUYER_HELD_AMOUNT: environment.BUYER_HELD_DOLLARS || undefined } // as it was called when all stores sold in dollars
  const given: EnvironmentValues = Object.fromEntries(
    Object.entries({ ...renamed, ...withoutEmptyValues(environment) }).filter(([name]) => name in Settings.shape),
  )
  const read = Settings.safeParse(given)
  const nameGiven = (name: string) => (name === 'BUYER_HELD_AMOUNT' && !environment[name] ? 'BUYER_HELD_DOLLARS' : name)
  const lines = new Map(read.error?.issues.map(({ path, message }) => [String(path[0]), `${nameGiven(String(path[0]))} ${message}`]))
  const mode = Settings.shape.STORE_MODE.safeParse(given.STORE_MODE).data
  if (mode)
    for (const [name, line] of mode === 'live' ? liveModeErrors(given) : demoModeErrors(given)) if (!lines.has(name)) lines.set(name, line)
  if (!read.success || lines.size > 0) throw new StartupError([...lines.values()].join('\n'))
  const { data } = read

  return {
    mode: data.STORE_MODE,
    port: data.PORT,
    host: data.HOST,
    publicUrl: stripTrailingSlashes(data.PUBLIC_URL ?? `http://localhost:${data.PORT}`),
    dataDir: path.resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    admin: { email: data.ADMIN_EMAIL.toLowerCase(), password: data.ADMIN_PASSWORD },
    stripe: stripeSettings(data),
    google: googleSettings(data),
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM ?? 'Nucleus of PC <store@nucleus.example>',
    /** undefined: that of the database */
    currency: data.CURRENCY,
    sinceYear: data.SINCE_YEAR,
    /** minutes for which an unpaid order reserves stock */
    holdMinutes: data.HOLD_MINUTES,
    /** the same for a buyer who has never paid */
    newBuyerHoldMinutes: Math.min(data.HOLD_MINUTES_FIRST, data.HOLD_MINUTES),
    /** limits per buyer for unpaid orders; undefined: no limits */
    buyerLimits:
      data.BUYER_LIMITS === 'on'
        ? {
            openOrders: data.BUYER_OPEN_ORDERS,
            heldPieces: data.BUYER_HELD_PIECES,
            heldCents: amountToCents(data.BUYER_HELD_AMOUNT),
            ordersPerHour: data.BUYER_ORDERS_AN_HOUR,
          }
        : undefined,
    secret: data.SECRET,
    logLevel: data.LOG_LEVEL,
    trustProxy: data.TRUST_PROXY === 'on',
  }
}

export type Settings = ReturnType<typeof readSettings>

const stripeKeyNames = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const
const stripeKeyMode = (key = '') => /^[a-z]+_(test|live)_/.exec(key)?.[1]

type SettingError = [name: keyof EnvironmentValues, line: string]

/** Startup errors in demo mode: incomplete groups of settings, and live Stripe keys. */
function* demoModeErrors(given: EnvironmentValues): Generator<SettingError> {
  yield* wrongModeKeyErrors(given, 'demo')
  const missing = stripeKeyNames.find((name) => !given[name])
  if (missing && given.STRIPE_API_URL)
    yield [
      'STRIPE_API_URL',
      'STRIPE_API_URL needs the keys of that provider beside it: STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
    ]
  else if (missing && stripeKeyNames.some((name) => given[name]))
    yield [
      missing,
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET belong together: set all three, or none for the card sandbox',
    ]

  yield* incompleteGoogleErrors(given, 'for the stand-in')
  if (given.SMTP_URL && !given.MAIL_FROM) yield ['MAIL_FROM', 'MAIL_FROM is needed beside SMTP_URL: the address that the mails come from']
}

/** @param without what happens without these settings, for the error message: "for the stand-in" */
function* incompleteGoogleErrors(given: EnvironmentValues, without: string): Generator<SettingError> {
  if (Boolean(given.GOOGLE_CLIENT_ID) === Boolean(given.GOOGLE_CLIENT_SECRET) && (!given.GOOGLE_ISSUER || given.GOOGLE_CLIENT_ID)) return
  yield [
    given.GOOGLE_ISSUER ? 'GOOGLE_ISSUER' : given.GOOGLE_CLIENT_ID ? 'GOOGLE_CLIENT_SECRET' : 'GOOGLE_CLIENT_ID',
    `GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together (GOOGLE_ISSUER only beside them): set both, or none ${without}`,
  ]
}

/** Settings without a default in live mode, each with its description for the error message. */
const requiredInLiveMode: SettingError[] = [
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

/** 20 hours: a shorter time limit must let people extend it (WCAG 2.2, 2.2.1 Timing Adjustable), which the store does not offer. */
const minLiveHoldMinutes = 20 * 60
/** Stripe's secrets have at least 32 characters after the prefix. */
const minWebhookSecretCharacters = 'whsec_'.length + 16
/** 32 random characters contain 10 distinct ones even if they are only digits. 32 characters typed by hand contain fewer. */
const minDistinctCharacters = 8

/** Startup errors in live mode: missing settings, and settings that are only allowed in demo mode. */
function* liveModeErrors(given: EnvironmentValues): Generator<SettingError> {
  for (const [name, what] of requiredInLiveMode) if (!given[name]) yield [name, `${name} is needed in live mode: ${what}`]
  yield* wrongModeKeyErrors(given, 'live')
  yield* incompleteGoogleErrors(given, 'to sign people in with e-mail and password alone')
  yield* weakSecretErrors(given)
  for (const name of ['PUBLIC_URL', 'GOOGLE_ISSUER'] as const)
    if (given[name] && !/^https:/i.test(given[name])) yield [name, `${name} begins with https:// in live mode`]
  if (given.STRIPE_API_URL) yield ['STRIPE_API_URL', 'STRIPE_API_URL is for demo mode only: a live store takes its money at Stripe itself']
  for (const name of ['HOLD_MINUTES', 'HOLD_MINUTES_FIRST'] as const)
    if (given[name] && Number(given[name]) < minLiveHoldMinutes)
      yield [name, `${name} is at least ${minLiveHoldMinutes} in live mode: people need the time to pay, and cannot ask for more`]
  if (given.BUYER_LIMITS === 'off')
    yield [
      'BUYER_LIMITS',
      'BUYER_LIMITS is on in live mode: off is for load tests, and lets one account hold the whole stock without paying',
    ]
  if (given.ADMIN_EMAIL?.toLowerCase() === demoAdminEmail)
    yield ['ADMIN_EMAIL', `ADMIN_EMAIL ${demoAdminEmail} is the demo's: live mode needs an e-mail that is read`]
}

/** Secrets that can be guessed. Their values are never printed. */
function* weakSecretErrors({ SECRET, ADMIN_PASSWORD, STRIPE_WEBHOOK_SECRET }: EnvironmentValues): Generator<SettingError> {
  if (SECRET && new Set(SECRET).size < minDistinctCharacters)
    yield ['SECRET', 'SECRET repeats the same few characters in live mode: take a random one (openssl rand -base64 32)']
  if (ADMIN_PASSWORD && isCommonPassword(ADMIN_PASSWORD))
    yield [
      'ADMIN_PASSWORD',
      'ADMIN_PASSWORD is one of the first that others try: choose another for live mode, or leave it out and the start makes one',
    ]
  if (STRIPE_WEBHOOK_SECRET && STRIPE_WEBHOOK_SECRET.length < minWebhookSecretCharacters)
    yield [
      'STRIPE_WEBHOOK_SECRET',
      "STRIPE_WEBHOOK_SECRET is too short for live mode: copy the whole signing secret from Stripe's dashboard",
    ]
}

/** Stripe keys of the other mode. Their values are never printed. */
function* wrongModeKeyErrors(given: EnvironmentValues, mode: 'demo' | 'live'): Generator<SettingError> {
  const [wanted, other] = mode === 'live' ? ['live', 'test'] : ['test', 'live']
  for (const [name, partner] of [
    ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
    ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_SECRET_KEY'],
  ] as const)
    if (stripeKeyMode(given[name]) === other)
      yield [
        name,
        `${name} is a ${other} key${stripeKeyMode(given[partner]) === wanted ? ` and ${partner} a ${wanted} key` : ''}: ${mode} mode takes ${wanted} keys only`,
      ]
}
