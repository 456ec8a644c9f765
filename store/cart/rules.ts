import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Database, executePrepared, selectPrepared } from '#platform/database.ts'
import { settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { moveOrdersToCart } from '#store/orders/details/rules.ts'
import { describeCart, type StoredCartLine, termsOf } from './cart-lines.ts'
import { createCartToken, hashCartToken } from './cart-tokens.ts'
import { type Cart, maxCartLines } from './contract.ts'
import { deleteOldPastedLists } from './pasted-form.ts'
import { readLines, writeLines } from './stored-lines.ts'
import { carts, cartTokens } from './table.ts'

/** Who asks for a cart: the account of the access token, and the token of the browser's cookie. */
export type CartVisitor = { userId: string | undefined; token: string | undefined }
/** A cart, and the token that the browser has to be given for it, where it has none. */
export type FoundCart = { cartId: string; userId: string | null; newToken: string | undefined }

/** The cart of this visitor, which may be that of their account. Undefined when they have none. */
export async function findCart(db: Database, { userId, token }: CartVisitor): Promise<Omit<FoundCart, 'newToken'> | undefined> {
  const columns = { cartId: carts._id, userId: carts.userId }
  if (userId === undefined && token === undefined) return undefined
  const [found] = await selectPrepared(db.select(columns).from(carts).where(isCartOf({ userId, token })))
  return found
}

/** Whether a row of `carts` is the cart that `findCart` finds. */
export const isCartOf = ({ userId, token = '' }: CartVisitor): SQL =>
  userId === undefined
    ? sql`${carts._id} = (select cart_id from cart_tokens where token_hash = ${hashCartToken(token)})`
    : eq(carts.userId, userId)

/**
 * Locks the visitor's cart until the end of the transaction, and makes one where there is none. A cart that this browser has filled before
 * signing in is joined to that of the account.
 * @param remembersBrowser whether a browser without a token of the account's cart gets one, with which it finds the cart without the
 *   access token: at each sign-in, not at each request of a program that keeps no cookies
 */
export async function lockCart(tx: Database, { userId, token }: CartVisitor, { remembersBrowser = false } = {}): Promise<FoundCart> {
  const ofBrowser = token === undefined ? undefined : await lockCartOfToken(tx, token)
  if (userId === undefined) return ofBrowser ? { ...ofBrowser, newToken: undefined } : insertCart(tx)
  if (ofBrowser?.userId === userId) return { ...ofBrowser, newToken: undefined }
  const [ofAccount] = await executePrepared<{ id: string }>(
    tx,
    sql`insert into carts (id, user_id) values (${crypto.randomUUID()}::uuid, ${userId})
      on conflict (user_id) do update set ${changedSql} returning id`,
  )
  if (!ofAccount) throw new Error('The cart was not returned')
  const found = { cartId: ofAccount.id, userId }
  if (token === undefined || !ofBrowser || ofBrowser.userId !== null)
    return { ...found, newToken: remembersBrowser ? await insertToken(tx, found.cartId) : undefined }
  await joinCarts(tx, ofBrowser, found)
  await moveOrdersToCart(tx, ofBrowser.cartId, found.cartId)
  await tx.delete(carts).where(eq(carts._id, ofBrowser.cartId)) // with its token, which somebody else may have given this browser
  return { ...found, newToken: await insertToken(tx, found.cartId) }
}

/** Whoever has read a cart without locking it sees by its version whether it is still as it was. */
const changedSql = sql`used_at = now(), version = carts.version + 1`

async function lockCartOfToken(tx: Database, token: string): Promise<{ cartId: string; userId: string | null } | undefined> {
  const hash = hashCartToken(token)
  const [locked] = await executePrepared<{ id: string; user_id: string | null }>(
    tx,
    sql`with locked as (
        update carts set ${changedSql} from cart_tokens where token_hash = ${hash} and carts.id = cart_id returning carts.id, user_id
      ), used as (update cart_tokens set used_at = now() where token_hash = ${hash} and exists (select from locked))
      select id, user_id from locked`,
  )
  return locked && { cartId: locked.id, userId: locked.user_id }
}

async function insertCart(tx: Database): Promise<FoundCart> {
  const [cartId, newToken] = [crypto.randomUUID(), createCartToken()]
  await executePrepared(
    tx,
    sql`with cart as (insert into carts (id) values (${cartId}::uuid) returning id)
      insert into cart_tokens (token_hash, cart_id) select ${hashCartToken(newToken)}, id from cart`,
  )
  return { cartId, userId: null, newToken }
}

/** As many browsers of one account know its cart; of more the ones that have used it last. */
const maxBrowsers = 20

async function insertToken(tx: Database, cartId: string): Promise<string> {
  const token = createCartToken()
  await tx.insert(cartTokens).values({ tokenHash: hashCartToken(token), cartId })
  const older = tx
    .select({ hash: cartTokens.tokenHash })
    .from(cartTokens)
    .where(eq(cartTokens.cartId, cartId))
    .orderBy(desc(cartTokens.usedAt))
    .offset(maxBrowsers)
  await tx.delete(cartTokens).where(inArray(cartTokens.tokenHash, older))
  return token
}

/** The browser with this token no longer knows the cart of an account. */
export async function forgetBrowser(db: Database, token: string): Promise<void> {
  const ofAccounts = db.select({ id: carts._id }).from(carts).where(isNotNull(carts.userId))
  await db.delete(cartTokens).where(and(eq(cartTokens.tokenHash, hashCartToken(token)), inArray(cartTokens.cartId, ofAccounts)))
}

/**
 * Two full carts together. Further ones add nothing to it but pieces: whoever joins one basket after the other would have one that takes the
 * store seconds to show.
 */
const maxJoinedLines = 2 * maxCartLines

/** Adds the lines of a visitor's cart to those of an account, as far as there is stock; the buyer is told where there was less. */
async function joinCarts(tx: Database, from: { cartId: string }, to: { cartId: string; userId: string }): Promise<void> {
  const [added, present] = [await readLines(tx, { ...to, cartId: from.cartId }), await readLines(tx, to)]
  const room = maxJoinedLines - present.length
  const isPresent = ({ product }: StoredCartLine) => present.some((line) => line.product._id === product._id)
  const joined = [...added.filter(isPresent), ...added.filter((line) => !isPresent(line)).slice(0, Math.max(0, room))].map((line) => {
    const { product, quantity, seenPriceCents } = line
    const before = present.find((other) => other.product._id === product._id)
    const together = (before?.quantity ?? 0) + quantity
    const most = settleQuantity(termsOf(product), together).orderable?.highest
    const isCapped = most !== undefined && most < together
    return {
      product,
      quantity: before && isCapped ? most : together,
      seenPriceCents: before?.seenPriceCents ?? seenPriceCents,
      cappedFrom: before && isCapped ? together : null,
    }
  })
  await writeLines(tx, to.cartId, joined)
}

/**
 * Locks a cart in a statement that writes something else, if it still has this version; the CTE has no row where it has another. The row is
 * looked at again once it is locked, so that the statement sees a change that it has waited for.
 */
export const lockUnchangedCartSql = (name: SQL, { cartId, version }: { cartId: string; version: number }): SQL =>
  sql`${name} as materialized (select id from carts where id = ${cartId}::uuid and version = ${version}::integer for no key update)`

/** Gives a cart that the statement has locked another version, where a condition holds. */
export const renewCartVersionSql = (name: SQL, cartId: string, condition: SQL): SQL =>
  sql`${name} as (update carts set ${changedSql} where id = ${cartId}::uuid and ${condition})`

/** Takes all lines out of a cart that the statement has locked, where a condition holds. */
export const emptyCartSql = (name: SQL, cartId: string, condition: SQL): SQL =>
  sql`${name} as (delete from cart_lines where cart_id = ${cartId}::uuid and ${condition})`

/** A cart as its buyer sees it now. */
export async function readCart(db: Database, found: { cartId: string; userId: string | null } | undefined): Promise<Cart> {
  return describeCart(found ? await readLines(db, found) : [], { isOfAccount: found?.userId != null })
}

/** Forgets the cart of a removed account. Runs in the transaction of the removal. */
export const removeCartOf = (tx: Database, userId: string) => tx.delete(carts).where(eq(carts.userId, userId))

/** How long a cart that nobody has signed in to is kept after its last change. */
const keptDays = 60
/** Rows per statement, so that it ends well before the statement timeout. */
const maxForgotten = 5000

/** Forgets the carts of visitors and the tokens of browsers that have not been used for so long. Called every minute. */
export async function deleteOldCarts(db: Database): Promise<void> {
  const since = sql`now() - make_interval(days => ${keptDays})`
  const unused = db
    .select({ id: carts._id })
    .from(carts)
    .where(and(isNull(carts.userId), lt(carts.usedAt, since)))
    .limit(maxForgotten)
  await db.delete(carts).where(inArray(carts._id, unused))
  await deleteOldPastedLists(db)
  const unusedTokens = db.select({ hash: cartTokens.tokenHash }).from(cartTokens).where(lt(cartTokens.usedAt, since)).limit(maxForgotten)
  await db.delete(cartTokens).where(inArray(cartTokens.tokenHash, unusedTokens))
}
