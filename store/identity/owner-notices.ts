import { and, asc, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm'
import { composeEmail } from '#platform/compose-email.ts'
import type { Database } from '#platform/database.ts'
import { RetryItemLaterError } from '#platform/jobs.ts'
import type { EmailMessage, Mailer } from '#platform/mail.ts'
import { mailRetryColumns } from '#platform/mail-queue.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { adminPermissionsText } from './contract.ts'
import { ownerNotices, users } from './table.ts'

type OwnerNotice = typeof ownerNotices.$inferSelect
type AccountChange = {
  event: OwnerNotice['event']
  /** e-mail of the account that changed; of a withdrawal, the order */
  about: string
  /** e-mail of the account that changed it; undefined: a command on the store's machine, or the buyer who has withdrawn */
  by?: string | undefined
  detail?: string
  extent?: number
}

/**
 * Queues an email about the change of an account to every current owner. Call it in the transaction of the change, and before a change that removes
 * an owner, so that this owner gets the email, too.
 */
export async function recordOwnerNotices(tx: Database, { event, about, by, detail, extent }: AccountChange): Promise<void> {
  const owners = await tx.select({ to: users.email }).from(users).where(eq(users.owner, true))
  const notices = owners.map(({ to }) => ({ id: crypto.randomUUID(), to, event, about, by: by ?? null, detail, extent }))
  if (notices.length > 0) await tx.insert(ownerNotices).values(notices)
}

type AdminActivity = {
  event: 'many refunds' | 'many shipments' | 'many removals' | 'many product changes' | 'price rules changed' | 'bank entries imported'
  /** e-mail of the admin */
  by: string
  /** how much, as the subject of a sentence */
  detail: string
  /** how much, as a number in the unit of the event */
  extent: number
}

/**
 * Queues an email to every current owner about an admin who has done much within the last hour: one for each such event in an hour, and a
 * further one whenever it is ten times as much as the last one told. Call it in the transaction of what was done. Concurrent calls about the
 * same admin have to wait for each other.
 */
export async function recordAdminActivityNotice(tx: Database, { event, by, detail, extent }: AdminActivity): Promise<void> {
  const recent = and(eq(ownerNotices.event, event), eq(ownerNotices.about, by), gt(ownerNotices.at, sql`now() - interval '1 hour'`))
  const covering = and(recent, gt(ownerNotices.extent, sql`${extent}::float8 / 10`))
  if ((await tx.$count(ownerNotices, covering)) === 0) await recordOwnerNotices(tx, { event, about: by, by, detail, extent })
}

/**
 * Sends the notice that has been due longest, of those with the fewest failed tries. Its row is locked until the mailer has accepted the
 * email, so only one of several processes sends it.
 * @param publicUrl the store's origin for links in the email, without a trailing slash
 * @returns false when none is due
 * @throws {RetryItemLaterError} with the mailer's error; the notice is due again later or given up, see `mailRetryColumns`
 */
export async function sendDueOwnerNotice(db: Database, mailer: Mailer, publicUrl: string): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(ownerNotices)
      .where(lte(ownerNotices.mailDueAt, sql`now()`))
      .orderBy(asc(ownerNotices.mailTries), asc(ownerNotices.mailDueAt), asc(ownerNotices.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return { found: false }
    // async: an error while composing counts as a try, so that it does not block the other notices.
    const send = async () => mailer.send(composeNoticeEmail(due, publicUrl))
    const [change, error] = await send().then(
      () => [{ mailDueAt: null }, undefined] as const,
      (error: unknown) => [mailRetryColumns(error, { mailTries: ownerNotices.mailTries, tries: due.mailTries }), error] as const,
    )
    await tx.update(ownerNotices).set(change).where(eq(ownerNotices.id, due.id))
    return { found: true, error }
  })
  if (done.error) throw new RetryItemLaterError(done.error)
  return done.found
}

/** Deletes notices that were sent or given up 90 days after what they tell. */
export async function deleteOldOwnerNotices(db: Database): Promise<void> {
  await db.delete(ownerNotices).where(and(isNull(ownerNotices.mailDueAt), lt(ownerNotices.at, sql`now() - interval '90 days'`)))
}

function composeNoticeEmail(notice: OwnerNotice, publicUrl: string): EmailMessage {
  return {
    ...composeEmail({
      to: notice.to,
      ...(notice.event === 'withdrawal' ? withdrawalNotice(notice, publicUrl) : accountNotice(notice, notice.event, publicUrl)),
    }),
    messageIdSeed: `owner-notice-${notice.id}`,
    occurredAt: notice.at,
  }
}

type AccountEvent = Exclude<OwnerNotice['event'], 'withdrawal'>

function accountNotice(notice: OwnerNotice, event: AccountEvent, publicUrl: string) {
  const { page = { words: 'Open All Users', path: '/dashboard/allusers' }, ...texts } = noticeTexts(notice)[event]
  return {
    action: { words: page.words, url: `${publicUrl}${page.path}` },
    closing:
      'Nucleus of PC. You get this mail because you are an owner of the store: every change of its admins and of the seller is told to its owners, and what admins who are no owners do in large numbers.',
    ...texts,
  }
}

const withdrawalNotice = ({ about, by, detail, at }: OwnerNotice, publicUrl: string) => ({
  subject: by === null ? `A buyer has withdrawn from ${about}` : `${by} has withdrawn from ${about} for its buyer`,
  paragraphs: [
    `On ${formatDateTime(at)} ${by === null ? 'the buyer' : `${by}, who is an admin and not the buyer,`} withdrew from the contract of ${about}: ${detail}.`,
    'What was not sent is cancelled, and its money is on its way back. What was sent comes back as a return, whose money has to go back within 14 days; you may wait for the goods.',
  ],
  action: {
    words: 'Find the order',
    url: `${publicUrl}/dashboard/manageallorders?${new URLSearchParams({ q: about.replace('order ', '') })}`,
  },
  closing: 'Nucleus of PC. You get this mail because you are an owner of the store.',
})

/** `page`: where to do something about it; undefined: on All Users */
type NoticeTexts = { subject: string; paragraphs: string[]; page?: { words: string; path: string } }

const noticeTexts = (notice: OwnerNotice): Record<AccountEvent, NoticeTexts> => ({
  ...accountChangeTexts(notice),
  ...storeChangeTexts(notice),
  ...adminActivityTexts(notice),
})

const byWhom = ({ by, at }: OwnerNotice) => `by ${by ?? "a command on the store's machine"} on ${formatDateTime(at)}`

const howToTakeBack = ({ about }: OwnerNotice) =>
  `If that is not right, press Take Back Admin in the row of ${about} on All Users, or run on the store's machine: npm run admin -- demote ${about}`

type StoreChange = 'seller changed' | 'definitions changed'

function accountChangeTexts(notice: OwnerNotice): Record<Exclude<AccountEvent, AdminActivity['event'] | StoreChange>, NoticeTexts> {
  const { about } = notice
  const done = byWhom(notice)
  const takeBack = howToTakeBack(notice)
  return {
    'admin made': {
      subject: `${about} is an admin of Nucleus of PC now`,
      paragraphs: [`${about} was made an admin ${done}.`, `Admins can ${adminPermissionsText}.`, takeBack],
    },
    'unverified admin made': {
      subject: `${about} is an admin of Nucleus of PC now, and its e-mail is not verified`,
      paragraphs: [
        `${about} was made an admin ${done}.`,
        'This e-mail is not verified: anybody may have registered it, and whoever did is the admin. Ask the person whose address it is whether the account is theirs.',
        `Admins can ${adminPermissionsText}.`,
        takeBack,
      ],
    },
    'owner made': {
      subject: `${about} is an owner of Nucleus of PC now`,
      paragraphs: [
        `${about} was made an owner ${done}.`,
        'Owners can do what admins can, take the role back from admins, and cannot be removed or lowered by anybody else.',
        `If that is not right, run on the store's machine: npm run admin -- demote ${about}`,
      ],
    },
    'role taken back': {
      subject: `${about} is no admin of Nucleus of PC any more`,
      paragraphs: [
        `The admin role of ${about} was taken back ${done}. The account goes on as a customer.`,
        `If that is not right, press Make Admin in the row of ${about} on All Users, or run on the store's machine: npm run admin -- make ${about}`,
      ],
    },
    'admin removed': {
      subject: `${about}, an admin of Nucleus of PC, was removed`,
      paragraphs: [
        `The account of ${about}, an admin, was removed ${done}.`,
        `If that is not right, press Bring Back beside ${about} on All Users and make it an admin again, or run on the store's machine: npm run admin -- restore ${about}`,
      ],
    },
    'limits lifted': {
      subject: `${about} orders at Nucleus of PC without the limits of buyers now`,
      paragraphs: [
        `The limits of ${about} as a buyer were lifted ${done}: this account can have any number of unpaid orders, which hold their pieces.`,
        `If that is not right, press Put limits back in the row of ${about} on All Users.`,
      ],
    },
  }
}

/** What owners alone change. */
function storeChangeTexts(notice: OwnerNotice): Record<StoreChange, NoticeTexts> {
  const done = byWhom(notice)
  return {
    'seller changed': {
      subject: 'The seller on invoices of Nucleus of PC has changed',
      paragraphs: [
        `${notice.detail}: ${done}.`,
        'Documents that are issued already stay as they are. If that is not right, change it back on the page Seller, and ask the owner who has done it.',
      ],
      page: { words: 'Open Seller', path: '/dashboard/seller' },
    },
    'definitions changed': {
      subject: 'The definitions of the catalogue of Nucleus of PC have changed',
      paragraphs: [
        `${notice.detail}: ${done}.`,
        "They say which kinds of products and filters there are, how values are spelled, and what questions are understood. If that is not right, bring an earlier revision back on the store's machine: npm run definitions -- export FILE --revision=N, then npm run definitions -- import FILE. The history of each product says what it was before.",
      ],
      page: { words: 'Open Manage Products', path: '/dashboard/manageproducts' },
    },
  }
}

function adminActivityTexts(notice: OwnerNotice): Record<AdminActivity['event'], NoticeTexts> {
  const { about, detail } = notice
  const done = byWhom(notice)
  const takeBack = howToTakeBack(notice)
  const wereMade = detail?.startsWith('1 ') ? 'was made' : 'were made'
  return {
    'many refunds': {
      subject: `${about} has refunded much within an hour`,
      paragraphs: [
        `${detail} within an hour ${wereMade} ${done}. The next mail about refunds of this admin comes in an hour, or once ten times as much was given back.`,
        'A refund cannot be taken back. The orders stand in Manage All Orders, and the history of each says who has refunded it.',
        takeBack,
      ],
    },
    'many shipments': {
      subject: `${about} has marked many parcels as sent within an hour`,
      paragraphs: [
        `${detail} within an hour ${detail?.startsWith('1 ') ? 'was' : 'were'} marked as sent ${done}, by hand or by a file of tracking numbers. The next mail about parcels of this admin comes in an hour, or once there are ten times as many.`,
        'Each buyer has got a mail. A parcel that was not sent is taken back on the page of its order, for 24 hours.',
        takeBack,
      ],
    },
    'many product changes': {
      subject: `${about} has changed many products within an hour`,
      paragraphs: [
        `${detail} within an hour ${wereMade} ${done}, on the screens, by imports or by other programs; new products are counted among them. The next mail about changes of this admin comes in an hour, or once there are ten times as many.`,
        'Look at prices and stock on Manage Products. For 400 days the call GET /api/tools/{id}/history says what was overwritten of a product, except its stock.',
        takeBack,
      ],
    },
    'price rules changed': {
      subject: `${about} has changed what customers pay`,
      paragraphs: [
        `${detail}: ${done}.`,
        'Not every price of this admin is told in a mail of its own. The page Prices says under "Who has changed what" what else was changed, and there it can be changed back.',
        takeBack,
      ],
    },
    'bank entries imported': {
      subject: `${about} has imported entries of the bank`,
      paragraphs: [
        `${detail} were imported ${done}. The next mail about imports of this admin comes in an hour, or once they are ten times as much.`,
        'What they say has arrived pays orders, which are then sent. Compare it with your account on the page Bank.',
        takeBack,
      ],
    },
    'many removals': {
      subject: `${about} has removed many products within an hour`,
      paragraphs: [
        `${detail} within an hour ${wereMade} ${done}. The next mail about removals of this admin comes in an hour at the earliest.`,
        'The products stand under Removed products on Manage Products, and can be brought back there.',
        takeBack,
      ],
    },
  }
}
