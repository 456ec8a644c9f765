import { type SQLWrapper, sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const timestampColumn = (name: string) => timestamp(name, { withTimezone: true })
const createdAt = timestampColumn('created_at').notNull().defaultNow()
const updatedAt = timestampColumn('updated_at').notNull().defaultNow()

/**
 * The mailbox that an e-mail is delivered to. What follows a "+" names no other mailbox: a+1@x is a@x. At Gmail dots name none either
 * (https://support.google.com/mail/answer/7436150), and googlemail.com is gmail.com.
 */
export const mailboxSql = (email: SQLWrapper) => sql<string>`case when lower(${email}) ~ '^[^@]+@(gmail|googlemail)\\.com$'
  then replace(regexp_replace(lower(${email}), '^([^+@]+)(\\+[^@]*)?@.*$', '\\1'), '.', '') || '@gmail.com'
  else regexp_replace(lower(${email}), '^([^+@]+)\\+[^@]*@', '\\1@') end`

// better-auth defines these four tables and their column keys. The store's own columns come last in each.
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull().unique(), // always lowercase
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text(), // a column that better-auth requires; the store neither fills nor reads it
    createdAt,
    updatedAt,
    role: text({ enum: ['customer', 'admin'] })
      .notNull()
      .default('customer'),
    removedAt: timestampColumn('removed_at'), // set: the account cannot sign in and its e-mail cannot register again; its orders stay
    limitsLiftedAt: timestampColumn('limits_lifted_at'), // set: an admin exempted this account from the buyer limits
    owner: boolean().notNull().default(false), // an admin whom no other account can remove or demote
    mailbox: text().notNull().generatedAlwaysAs(mailboxSql(sql`email`)),
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
    expiresAt: timestampColumn('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt,
    updatedAt,
  },
  (table) => [index('sessions_of_user').on(table.userId)],
)

export const signInMethods = pgTable(
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
    accessTokenExpiresAt: timestampColumn('access_token_expires_at'),
    refreshTokenExpiresAt: timestampColumn('refresh_token_expires_at'),
    scope: text(),
    password: text(),
    createdAt,
    updatedAt,
    // When the holder of this password proved access to the mailbox; null: somebody else may have registered the address.
    emailProvenAt: timestampColumn('email_proven_at'),
  },
  (table) => [index('accounts_of_user').on(table.userId)],
)

export const verifications = pgTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: timestampColumn('expires_at').notNull(),
    createdAt,
    updatedAt,
  },
  (table) => [index('verifications_by_identifier').on(table.identifier)],
)

/** Devices and networks that an account was signed in from. Failed sign-ins from elsewhere are rate limited separately from theirs. */
export const knownSignInLocations = pgTable(
  'known_places',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    place: text().notNull(), // hash of the device id or the network
    lastAt: timestampColumn('last_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.place] })],
)

/**
 * Emails to owners about role changes, and about what admins who are no owners have done, one row per owner and event, written in the
 * transaction of the change.
 */
export const ownerNotices = pgTable(
  'owner_notices',
  {
    id: text().primaryKey(),
    to: text('to_email').notNull(),
    event: text({
      enum: [
        'admin made',
        'unverified admin made',
        'owner made',
        'role taken back',
        'admin removed',
        'many refunds',
        'many shipments',
        'many removals',
        'many product changes',
        'price rules changed',
        'bank entries imported',
        'limits lifted',
        'withdrawal',
        'seller changed',
        'definitions changed',
      ],
    }).notNull(),
    about: text('about_email').notNull(), // of a withdrawal: the order, as "order 1001"
    detail: text(), // how much was done, such as "6 refunds of $1,200 in all"; or what was changed
    extent: integer(), // the same as a number: cents of refunds, removals, changes of products
    by: text('by_email'), // null: by a command on the store's machine
    at: timestampColumn('at').notNull().defaultNow(),
    mailDueAt: timestampColumn('mail_due_at').defaultNow(), // null: sent
    mailTries: integer('mail_tries').notNull().default(0),
  },
  (table) => [
    index('owner_notices_due').on(table.mailDueAt).where(sql`${table.mailDueAt} is not null`),
    index('owner_notices_about').on(table.about, table.at),
  ],
)
