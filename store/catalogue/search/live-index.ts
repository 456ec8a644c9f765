import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import { giveBackMemory } from '#platform/memory.ts'
import { categoryOf } from '../categories.ts'
import { asPart, forSale } from '../rules.ts'
import { toolChanges, tools } from '../table.ts'
import type { Answered, Asked, Listed } from './asked.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'

const lookEveryMs = 500
const tryAgainMs = 1000
const batch = 500
/** With more changes than this all products are read anew. */
const mostOneByOne = 5000
/** Building the index of so many products leaves memory to give back. */
const many = 5000
/** `forgetChanges` keeps the log of changes for twice as long. */
const trustedMs = 30 * 60_000

/** The index of this process, kept in step with the database, which has the truth. */
export type Search = {
  /** Undefined until the index is built, and then never again. */
  ask(asked: Asked): Answered | undefined
  /** Whether this product is for sale. Until the index is built nobody knows. */
  hasProduct(id: string): boolean
  /** Whether there is such a category for parts to be in. */
  hasCategory(key: string): boolean
  /** Resolves once the index answers. */
  ready: Promise<void>
  /** Takes in what was committed before it was called. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/**
 * Builds the index behind the running store and follows the log of changes: woken by `tools`, and looking by itself, so that a notice that
 * got lost heals. When it has taken changes in it tells `found`, of each product that has changed `tool:<id>`, and `shelves` where more than
 * price, minimum and stock is new; of very many it tells `*`.
 */
export function openSearch(db: Database, changes: Changes, failed: (error: unknown) => void): Search {
  let index: SearchIndex | undefined
  /** Every transaction before this one had ended when the log was read last. */
  let since = '0'
  let lookedAt = 0
  /** what was read of the log from there on */
  const seen = new Set<string>()
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let anew: Promise<void> | undefined
  let closed = false

  const build = async () => {
    const [now] = (await readLog(db, 'infinite')).slice(0, 1)
    const from = Date.now()
    const built = await buildIndex(allTools(db, () => closed))
    if (closed) return
    index = built
    since = now?.oldest ?? '0'
    lookedAt = from
    seen.clear()
    changes.tellHere('*') // what was shown without it, or by the one before, is not kept
    if (built.size > many) setImmediate(giveBackMemory)
  }

  /** Builds anew beside the index that answers meanwhile. */
  const buildAnew = () => {
    anew ??= build()
      .catch(failed)
      .finally(() => {
        anew = undefined
      })
    return anew
  }

  const look = async (): Promise<void> => {
    const into = index
    if (!into) return // what is being built reads the products as they are by then, and the log from before
    if (Date.now() - lookedAt > trustedMs) buildAnew()
    const from = Date.now()
    const log = await readLog(db, since)
    const fresh = log.filter(({ changedIn, toolId }) => changedIn !== null && !seen.has(`${changedIn} ${toolId}`))
    const ids = [...new Set(fresh.flatMap(({ toolId }) => toolId ?? []))]
    if (ids.length > mostOneByOne) {
      changes.tellHere('*')
      buildAnew() // nobody who changes one product waits for it
    } else if (ids.length > 0) {
      await takeIn(into, ids)
      if (into.isWorn) buildAnew()
    }
    if (into !== index) return look() // a new one has taken its place meanwhile, and has its own place in the log
    for (const { changedIn, toolId } of fresh) seen.add(`${changedIn} ${toolId}`)
    lookedAt = from
    const oldest = log[0]?.oldest ?? since
    if (oldest === since) return
    since = oldest
    for (const key of seen) if (BigInt(key.slice(0, key.indexOf(' '))) < BigInt(since)) seen.delete(key)
  }

  const takeIn = async (into: SearchIndex, ids: string[]) => {
    let isShelfOther = false
    for (let at = 0; at < ids.length; at += batch) {
      const some = ids.slice(at, at + batch)
      const found = await db
        .select(asListed)
        .from(tools)
        .where(sql`${inArray(tools._id, some)} and ${forSale}`)
      const here = new Set(found.map(({ _id }) => _id))
      const gone = some.filter((id) => !here.has(id) && into.drop(id))
      const moved = await into.put(found)
      isShelfOther ||= gone.length > 0 || moved.length > 0
    }
    if (isShelfOther) changes.tellHere('shelves')
    for (const id of ids) changes.tellHere(`tool:${id}`)
    changes.tellHere('found')
  }

  const catchUp = (): Promise<void> => {
    if (closed) return Promise.resolve()
    if (!running) {
      running = look().finally(() => {
        running = undefined
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return catchUp()
      })
    return next
  }

  const ready: Promise<void> = (async () => {
    while (!closed && !index)
      await build().catch(async (error) => {
        failed(error)
        await new Promise((wait) => setTimeout(wait, tryAgainMs))
      })
  })()
  const clock = setInterval(() => catchUp().catch(failed), lookEveryMs)
  clock.unref()
  changes.on((topic) => {
    if (topic === 'tools' || topic === '*') catchUp().catch(failed)
  })

  return {
    ask: (asked) => index?.ask(asked),
    hasProduct: (id) => index?.has(id) ?? false,
    hasCategory: (key) => categoryOf(key) !== undefined,
    ready,
    catchUp,
    async close() {
      closed = true
      clearInterval(clock)
      await Promise.allSettled([ready, running, next, anew])
    },
  }
}

/** Forgets what every process has long read. */
export async function forgetChanges(db: Database): Promise<void> {
  await db.delete(toolChanges).where(sql`${toolChanges.at} < now() - make_interval(secs => ${(2 * trustedMs) / 1000})`)
}

const asListed = { ...asPart, position: sql<number>`${tools.position}` }

type Logged = { oldest: string; changedIn: string | null; toolId: string | null }

/**
 * What changed in transactions from this one on, and the oldest transaction that had not ended by then: what is read from there on the
 * next time misses nothing, though it comes again. One row without a tool when there is nothing.
 */
async function readLog(db: Database, since: string | 'infinite'): Promise<Logged[]> {
  const wanted = since === 'infinite' ? sql`false` : sql`${toolChanges.changedIn} >= ${since}::xid8`
  const { rows } = await db.execute<Logged>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, ${toolChanges.changedIn}::text as "changedIn",
      ${toolChanges.toolId}::text as "toolId"
    from (select) as now left join ${toolChanges} on ${wanted}`)
  return rows
}

/** Every product for sale, in the order in which they were added. */
async function* allTools(db: Database, stopped: () => boolean): AsyncGenerator<Listed> {
  let last = 0
  while (!stopped()) {
    const some = await db
      .select(asListed)
      .from(tools)
      .where(sql`${gt(tools.position, last)} and ${forSale}`)
      .orderBy(asc(tools.position))
      .limit(batch)
    yield* some
    if (some.length < batch) return
    last = some.at(-1)?.position ?? last
  }
}
