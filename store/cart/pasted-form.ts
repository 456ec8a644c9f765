import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { type PastedList, pasteIntoCart } from './contract.ts'
import { putPastedLines } from './pasted-lines.ts'
import type { LockedCart } from './put-into-cart.ts'
import { pastedLists } from './table.ts'

/** Puts a list that a form has sent into a locked cart, and keeps what has become of it with the cart, for the page that follows. */
export async function putPastedForm(tx: Database, cart: LockedCart, text: string): Promise<void> {
  await keepPastedList(tx, cart.cartId, await putOrExplain(tx, cart, text))
}

async function putOrExplain(tx: Database, cart: LockedCart, text: string): Promise<PastedList> {
  const refused = (problem: string) => ({ text, added: 0, notAdded: [], problem })
  const { error } = pasteIntoCart.schema.body.safeParse({ text })
  if (error) return refused(error.issues[0]?.message ?? '')
  try {
    const { added, notAdded } = await putPastedLines(tx, cart, text)
    return { text: notAdded.map((line) => line.text).join('\n'), added, notAdded, problem: null }
  } catch (refusal) {
    if (!(refusal instanceof HttpError)) throw refusal
    return refused(refusal.message)
  }
}

export async function keepPastedList(tx: Database, cartId: string, list: PastedList): Promise<void> {
  const row = { list, sentAt: sql`now()` }
  await tx
    .insert(pastedLists)
    .values({ cartId, ...row })
    .onConflictDoUpdate({ target: pastedLists.cartId, set: row })
}

export async function findPastedList(db: Database, cartId: string | undefined): Promise<PastedList | null> {
  if (cartId === undefined) return null
  const [found] = await db
    .select({ list: pastedLists.list })
    .from(pastedLists)
    .where(and(eq(pastedLists.cartId, cartId), sql`not ${isOldSql}`))
  return found?.list ?? null
}

const isOldSql = lt(pastedLists.sentAt, sql`now() - interval '1 day'`)

/** Rows per statement, so that it ends well before the statement timeout. */
const maxForgotten = 5000

/** Called every minute. */
export async function deleteOldPastedLists(db: Database): Promise<void> {
  const old = db.select({ id: pastedLists.cartId }).from(pastedLists).where(isOldSql).limit(maxForgotten)
  await db.delete(pastedLists).where(inArray(pastedLists.cartId, old))
}
