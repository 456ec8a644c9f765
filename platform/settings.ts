import path from 'node:path'
import * as z from 'zod'
import { CannotStart } from './cannot-start.ts'

const ports = 'is a number from 1 to 65515'
const port = z.coerce.number(ports).int(ports).min(1, ports).max(65_515, ports)
const key = (kind: string) =>
  z.string().regex(new RegExp(`^${kind}_test_\\w+$`), `demo mode takes test keys only: it begins with ${kind}_test_`)

const Settings = z.object({
  STORE_MODE: z.enum(['demo', 'live'], 'is demo or live').default('demo'),
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'is an address such as https://shop.example' }).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'is an address such as postgres://user:password@host:5432/store' }).optional(),
  ADMIN_EMAIL: z.email('is an e-mail address').default('admin@nucleus.example'),
  ADMIN_PASSWORD: z.string().min(8, 'has at least 8 characters').optional(),
  STRIPE_SECRET_KEY: key('sk').optional(),
  STRIPE_PUBLISHABLE_KEY: key('pk').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'begins with whsec_').optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: z.url({ protocol: /^https?$/, error: 'is an address such as https://accounts.google.com' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'is an address such as smtps://user:password@mail.example:465' }).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*<[^<>\s]+@[^<>\s]+>$|^[^<>\s]+@[^<>\s]+$/, 'is a sender such as Nucleus of PC <shop@shop.example>')
    .optional(),
  SINCE_YEAR: z.coerce.number('is a year').int('is a year').min(1900, 'is a year').max(2100, 'is a year').default(2017),
  SECRET: z.string().min(32, 'has at least 32 characters').optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'is fatal, error, warn, info, debug, trace or silent')
    .default('info'),
  TRUST_PROXY: z.enum(['on', 'off'], 'is on or off').default('off'),
})

/**
 * The store's settings from the environment (house rules and defaults: README). An empty value counts as not set.
 * @throws {CannotStart} with one line for each setting that is wrong
 */
export function readSettings(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => value !== '' && name in Settings.shape))
  const read = Settings.safeParse(given)
  if (!read.success) throw new CannotStart(read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join('\n'))
  const { data } = read

  if (data.STORE_MODE === 'live')
    throw new CannotStart('STORE_MODE live is not there yet: this version runs as a demo, with the card sandbox or with Stripe test keys')
  const stripe = [data.STRIPE_SECRET_KEY, data.STRIPE_PUBLISHABLE_KEY, data.STRIPE_WEBHOOK_SECRET]
  if (stripe.some(Boolean) && !stripe.every(Boolean))
    throw new CannotStart(
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET belong together: set all three, or none for the card sandbox',
    )

  if (Boolean(data.GOOGLE_CLIENT_ID) !== Boolean(data.GOOGLE_CLIENT_SECRET) || (data.GOOGLE_ISSUER && !data.GOOGLE_CLIENT_ID))
    throw new CannotStart(
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together (GOOGLE_ISSUER only beside them): set both, or none for the stand-in',
    )
  if (data.SMTP_URL && !data.MAIL_FROM) throw new CannotStart('MAIL_FROM is needed beside SMTP_URL: the address that the mails come from')

  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: (data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, ''),
    dataDir: path.resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    admin: { email: data.ADMIN_EMAIL.toLowerCase(), password: data.ADMIN_PASSWORD },
    stripe:
      data.STRIPE_SECRET_KEY && data.STRIPE_PUBLISHABLE_KEY && data.STRIPE_WEBHOOK_SECRET
        ? { secretKey: data.STRIPE_SECRET_KEY, publishableKey: data.STRIPE_PUBLISHABLE_KEY, webhookSecret: data.STRIPE_WEBHOOK_SECRET }
        : undefined,
    google:
      data.GOOGLE_CLIENT_ID && data.GOOGLE_CLIENT_SECRET
        ? {
            clientId: data.GOOGLE_CLIENT_ID,
            clientSecret: data.GOOGLE_CLIENT_SECRET,
            issuer: (data.GOOGLE_ISSUER ?? 'https://accounts.google.com').replace(/\/+$/, ''),
          }
        : undefined,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM ?? 'Nucleus of PC <store@nucleus.example>',
    sinceYear: data.SINCE_YEAR,
    secret: data.SECRET,
    logLevel: data.LOG_LEVEL,
    trustProxy: data.TRUST_PROXY === 'on',
  }
}

export type Settings = ReturnType<typeof readSettings>
