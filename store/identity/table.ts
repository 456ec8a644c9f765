import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true })
const createdAt = at('created_at').notNull().defaultNow()
const updatedAt = at('updated_at').notNull().defaultNow()

// These four are better-auth's, under its names for the keys; what is ours stands last.
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull().unique(), // always in small letters
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text(),
    createdAt,
    updatedAt,
    role: text({ enum: ['customer', 'admin'] })
      .notNull()
      .default('customer'),
    removedAt: at('removed_at'), // can no longer sign in; its orders stay, and its e-mail cannot register again
    limitsLiftedAt: at('limits_lifted_at'), // an admin has said that this account orders without the limits of buyers
    owner: boolean().notNull().default(false), // an admin whom no other account can remove or lower
    mailbox: text() // to which mails for a+1@x and a+2@x go alike
      .notNull()
      .generatedAlwaysAs(sql`regexp_replace(lower(email), '^([^+@]+)\\+[^@]*@', '\\1@')`),
  },
  (table) => [
    index('users_by_mailbox').on(table.mailbox).where(sql`${table.emailVerified}`),
    check('users_owner_is_admin', sql`not ${table.owner} or (${table.role} = 'admin' and ${table.removedAt} is null)`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: text().primaryKey(),
    token: text().notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: at('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt,
    updatedAt,
  },
  (table) => [index('sessions_of_user').on(table.userId)],
)

export const accounts = pgTable(
  'accounts',
  {
    id: text().primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: at('access_token_expires_at'),
    refreshTokenExpiresAt: at('refresh_token_expires_at'),
    scope: text(),
    password: text(),
    createdAt,
    updatedAt,
    // When who holds this password has shown that the mailbox is theirs; null: somebody else may have registered the address.
    emailProvenAt: at('email_proven_at'),
  },
  (table) => [index('accounts_of_user').on(table.userId)],
)

export const verifications = pgTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: at('expires_at').notNull(),
    createdAt,
    updatedAt,
  },
  (table) => [index('verifications_by_identifier').on(table.identifier)],
)

/** Devices and networks that an account was signed in from: strangers' wrong passwords are counted apart from theirs. */
export const knownPlaces = pgTable(
  'known_places',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    place: text().notNull(), // a hash
    lastAt: at('last_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.place] })],
)

/** What owners are told by mail, one row for each owner and event, written in the transaction of the event itself. */
export const ownerNotices = pgTable(
  'owner_notices',
  {
    id: text().primaryKey(),
    to: text('to_email').notNull(),
    event: text({ enum: ['admin made', 'unverified admin made', 'owner made', 'role taken back', 'admin removed'] }).notNull(),
    about: text('about_email').notNull(),
    by: text('by_email'), // null: by a command on the store's machine
    at: at('at').notNull().defaultNow(),
    mailDueAt: at('mail_due_at').defaultNow(), // null: sent
    mailTries: integer('mail_tries').notNull().default(0),
  },
  (table) => [index('owner_notices_due').on(table.mailDueAt).where(sql`${table.mailDueAt} is not null`)],
)
