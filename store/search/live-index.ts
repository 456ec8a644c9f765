import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Database } from '#platform/database.ts'
import { forceGarbageCollection } from '#platform/garbage-collection.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { isForSale, productDetailsColumns } from '#store/catalogue/rules.ts'
import { productChanges, products } from '#store/catalogue/table.ts'
import type { Topic } from '#store/topics.ts'
import type { IndexedProduct, ParsedQuery, SearchResult } from './parsed-query.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'

const pollIntervalMs = 500
/** Changes that follow one another more quickly than this are read together: each order of a product in demand changes it. */
const minReadIntervalMs = 25
const retryDelayMs = 1000
const batchSize = 500
/** Above this number of changed products, the index is rebuilt from the database. */
const maxIncrementalChanges = 5000
/** Above this number of products, a garbage collection is forced after the build to release its memory. */
const largeIndexSize = 5000
/** An older index is rebuilt. `deleteOldProductChanges` keeps change log rows for twice as long. */
const maxIndexAgeMs = 30 * 60_000

/** The search index of this process, kept in sync with the database, which is the source of truth. */
export type LiveSearchIndex = {
  /** Undefined only until the first build is complete. */
  search(query: ParsedQuery): SearchResult | undefined
  /** Whether this product is for sale; false for every product until the index is built. */
  hasProduct(id: string): boolean
  /** Whether the category is defined. */
  hasCategory(key: string): boolean
  /** Resolves once the first build is complete. */
  ready: Promise<void>
  /** Applies all changes that were committed before the call. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/**
 * Builds the index in the background and follows the product change log. It reads the log on the topic `products`, and also every
 * `pollIntervalMs`, so that a lost notification does no harm. After applying changes it announces the topics that follow from them, for more
 * than `maxIncrementalChanges` changes `*`.
 */
export function openLiveSearchIndex(db: Database, changes: ChangeNotifier<Topic>, onError: (error: unknown) => void): LiveSearchIndex {
  let index: SearchIndex | undefined
  /** All transactions before this id had ended when the log was last read. */
  let since = '0'
  let checkedAt = 0
  /** log rows from `since` on that are already applied */
  const seen = new Set<string>()
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let rebuilding: Promise<void> | undefined
  /** a rebuilt index that replaces the current one as soon as the changes since its build began are applied to it */
  let rebuilt: { index: SearchIndex; since: string } | undefined
  /** set after a build that failed: when to try again */
  let retryBuildAt: number | undefined
  let closed = false

  const build = async () => {
    const [now] = (await readChangeLog(db, 'infinite')).slice(0, 1)
    const from = Date.now()
    const built = await buildIndex(allProducts(db, () => closed))
    if (closed) return
    if (index) {
      rebuilt = { index: built, since: now?.oldest ?? '0' }
      retryBuildAt = undefined
      await catchUp()
      return
    }
    index = built
    releaseMemoryAfterBuild(built)
    since = now?.oldest ?? '0'
    checkedAt = from
    changes.notifyLocally('*') // drop pages cached without the index
  }

  /** Builds a new index while the current one keeps serving queries. The log rows that led to it are not read again, so it is retried. */
  const startRebuild = () => {
    rebuilding ??= build()
      .catch((error) => {
        if (!rebuilt) retryBuildAt = Date.now() + retryDelayMs
        onError(error)
      })
      .finally(() => {
        rebuilding = undefined
      })
    return rebuilding
  }

  const applyChangeLog = async (): Promise<void> => {
    const replacement = rebuilt
    const target = replacement?.index ?? index
    if (!target) return // the build in progress reads current products, and its position in the log is older
    if (replacement) {
      since = replacement.since
      seen.clear()
    } else if (Date.now() > Math.min(retryBuildAt ?? Infinity, checkedAt + maxIndexAgeMs)) startRebuild()
    const from = Date.now()
    const log = await readChangeLog(db, since)
    const fresh = log.filter(({ changedIn, toolId }) => changedIn !== null && !seen.has(`${changedIn} ${toolId}`))
    const ids = [...new Set(fresh.flatMap(({ toolId }) => toolId ?? []))]
    if (!replacement && ids.length > maxIncrementalChanges) {
      changes.notifyLocally('*')
      startRebuild() // not awaited: `catchUp` after a single product change must return quickly
    } else if (ids.length > 0) {
      await applyChanges(target, ids)
      if (target.needsRebuild) startRebuild()
    }
    if (replacement) {
      index = target
      rebuilt = undefined
      releaseMemoryAfterBuild(target)
      changes.notifyLocally('*') // drop pages rendered from the previous index
    }
    for (const { changedIn, toolId } of fresh) seen.add(`${changedIn} ${toolId}`)
    checkedAt = from
    const oldest = log[0]?.oldest ?? since
    if (oldest === since) return
    since = oldest
    for (const key of seen) if (BigInt(key.slice(0, key.indexOf(' '))) < BigInt(since)) seen.delete(key)
  }

  const applyChanges = async (target: SearchIndex, ids: string[]) => {
    let hasListingChanges = false
    try {
      for (let at = 0; at < ids.length; at += batchSize) {
        const batch = ids.slice(at, at + batchSize)
        const found = await db
          .select(indexedProductColumns)
          .from(products)
          .where(sql`${inArray(products._id, batch)} and ${isForSale}`)
        const forSaleIds = new Set(found.map(({ _id }) => _id))
        const removed = batch.filter((id) => !forSaleIds.has(id) && target.remove(id))
        const reindexed = await target.put(found)
        hasListingChanges ||= removed.length > 0 || reindexed.length > 0
      }
    } finally {
      if (hasListingChanges) changes.notifyLocally('listings') // also of some batches alone: once more they change nothing
    }
    for (const id of ids) changes.notifyLocally(`product:${id}`)
    changes.notifyLocally('search-results')
  }

  const catchUp = (): Promise<void> => {
    if (closed) return Promise.resolve()
    if (!running) {
      running = applyChangeLog().finally(() => {
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
        onError(error)
        await new Promise((wait) => setTimeout(wait, retryDelayMs))
      })
  })()
  const pollTimer = setInterval(() => catchUp().catch(onError), pollIntervalMs)
  pollTimer.unref()
  let lastRead = 0
  let nextRead: NodeJS.Timeout | undefined
  changes.onChange('products', () => {
    nextRead ??= setTimeout(
      () => {
        nextRead = undefined
        lastRead = performance.now()
        catchUp().catch(onError)
      },
      Math.max(0, lastRead + minReadIntervalMs - performance.now()),
    )
  })

  return {
    search: (query) => index?.search(query),
    hasProduct: (id) => index?.has(id) ?? false,
    hasCategory: (key) => categoryOf(key) !== undefined,
    ready,
    catchUp,
    async close() {
      closed = true
      clearInterval(pollTimer)
      clearTimeout(nextRead)
      await Promise.allSettled([ready, running, next, rebuilding])
    },
  }
}

/** Deletes change log rows that every process has read. */
export async function deleteOldProductChanges(db: Database): Promise<void> {
  await db.delete(productChanges).where(sql`${productChanges.at} < now() - make_interval(secs => ${(2 * maxIndexAgeMs) / 1000})`)
}

const indexedProductColumns = { ...productDetailsColumns, position: sql<number>`${products.position}` }

/** Building leaves garbage of the index's own size, and so does the index that it replaces. */
function releaseMemoryAfterBuild({ size }: SearchIndex) {
  if (size > largeIndexSize) setImmediate(forceGarbageCollection)
}

type ChangeLogRow = { oldest: string; changedIn: string | null; toolId: string | null }

/**
 * Reads the changes of transactions from `since` on, and the oldest transaction still running at that time. Reading from that transaction
 * on next time misses nothing, but returns some rows again. Without changes it returns one row with a null `toolId`.
 */
async function readChangeLog(db: Database, since: string | 'infinite'): Promise<ChangeLogRow[]> {
  const condition = since === 'infinite' ? sql`false` : sql`${productChanges.changedIn} >= ${since}::xid8`
  const { rows } = await db.execute<ChangeLogRow>(sql`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, ${productChanges.changedIn}::text as "changedIn",
      ${productChanges.toolId}::text as "toolId"
    from (select) as now left join ${productChanges} on ${condition}`)
  return rows
}

/** All products for sale, oldest first. */
async function* allProducts(db: Database, stopped: () => boolean): AsyncGenerator<IndexedProduct> {
  let last = 0
  while (!stopped()) {
    const batch = await db
      .select(indexedProductColumns)
      .from(products)
      .where(sql`${gt(products.position, last)} and ${isForSale}`)
      .orderBy(asc(products.position))
      .limit(batchSize)
    yield* batch
    if (batch.length < batchSize) return
    last = batch.at(-1)?.position ?? last
  }
}
