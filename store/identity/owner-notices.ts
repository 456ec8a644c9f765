import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { nextTry } from '#platform/jobs.ts'
import { letter } from '#platform/letter.ts'
import type { Letter, Mailer } from '#platform/mail.ts'
import { momentInWords } from '#store/moment-in-words.ts'
import { whatAdminsMay } from './contract.ts'
import { ownerNotices, users } from './table.ts'

/** The worker that sends what `sendDueNotice` finds. */
export const ownerMails = 'owner mails'

const pauses = { firstSeconds: 10, longestSeconds: 3600 }

type Notice = typeof ownerNotices.$inferSelect
type Event = {
  event: Notice['event']
  /** whose role it is */
  about: string
  /** who did it; nobody: a command on the store's machine */
  by?: string | undefined
}

/**
 * Notes a change of roles for every owner there is at this moment, to be told by mail. To be called in the transaction of the change, before
 * it where it makes an owner less, so that this owner is told too.
 */
export async function noteForOwners(tx: Database, { event, about, by }: Event): Promise<void> {
  const owners = await tx.select({ to: users.email }).from(users).where(eq(users.owner, true))
  const notices = owners.map(({ to }) => ({ id: crypto.randomUUID(), to, event, about, by: by ?? null }))
  if (notices.length > 0) await tx.insert(ownerNotices).values(notices)
}

/**
 * Sends the notice that is due longest. Its row is locked until the mail is handed over, so of several processes one sends it.
 * @param publicUrl where the links in it lead, without a slash at the end
 * @returns false when none is due
 * @throws what stopped the mail; it is due again after a pause that doubles, from ten seconds to an hour
 */
export async function sendDueNotice(db: Database, mailer: Mailer, publicUrl: string): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(ownerNotices)
      .where(lte(ownerNotices.mailDueAt, sql`now()`))
      .orderBy(asc(ownerNotices.mailDueAt), asc(ownerNotices.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return { found: false }
    const [change, trouble] = await mailer.send(written(due, publicUrl)).then(
      () => [{ mailDueAt: null }, undefined] as const,
      (error: unknown) =>
        [{ mailDueAt: nextTry(ownerNotices.mailTries, pauses), mailTries: sql`${ownerNotices.mailTries} + 1` }, error] as const,
    )
    await tx.update(ownerNotices).set(change).where(eq(ownerNotices.id, due.id))
    return { found: true, trouble }
  })
  if (done.trouble) throw done.trouble
  return done.found
}

/** Forgets notices that were sent, 90 days after what they tell. */
export async function forgetOldNotices(db: Database): Promise<void> {
  await db.delete(ownerNotices).where(and(isNull(ownerNotices.mailDueAt), lt(ownerNotices.at, sql`now() - interval '90 days'`)))
}

function written({ id, to, event, about, by, at }: Notice, publicUrl: string): Letter {
  const who = by ?? "a command on the store's machine"
  const done = `by ${who} on ${momentInWords(at)}`
  const takeBack = `If that is not right, press Take Back Admin in the row of ${about} on All Users, or run on the store's machine: npm run admin -- demote ${about}`
  const words: Record<Notice['event'], { subject: string; paragraphs: string[] }> = {
    'admin made': {
      subject: `${about} is an admin of Nucleus of PC now`,
      paragraphs: [`${about} was made an admin ${done}.`, `Admins can ${whatAdminsMay}.`, takeBack],
    },
    'unverified admin made': {
      subject: `${about} is an admin of Nucleus of PC now, and its e-mail is not verified`,
      paragraphs: [
        `${about} was made an admin ${done}.`,
        'This e-mail is not verified: anybody may have registered it, and whoever did is the admin. Ask the person whose address it is whether the account is theirs.',
        `Admins can ${whatAdminsMay}.`,
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
  }
  return {
    ...letter({
      to,
      action: { words: 'Open All Users', url: `${publicUrl}/dashboard/allusers` },
      closing: 'Nucleus of PC. You get this mail because you are an owner of the store: every change of its admins is told to its owners.',
      ...words[event],
    }),
    id: `owner-notice-${id}`,
    at,
  }
}
