import { asc, gt, inArray, sql } from 'drizzle-orm'
import type { ChangeNotifier } from '#platform/change-notifier.ts'
import type { Database } from '#platform/database.ts'
import { forceGarbageCollection } from '#platform/garbage-collection.ts'
import { categoryOf } from '#store/catalogue/categories.ts'
import { isForSale, productDetailsColumns } from '#store/catalogue/rules.ts'
import { productChanges, products } from '#store/catalogue/table.ts'
import type { Topic } from '#store/topics.ts'
import { ChangeLogReader, findOldestTransaction } from './change-log.ts'
import type { BuyersByProduct } from './column-store.ts'
import type { IndexedProduct, ParsedQuery, SearchResult } from './parsed-query.ts'
import { type Answer, answerQuestion } from './question/answer-question.ts'
import { warmUp } from './question/warm-up.ts'
import { buildIndex, type SearchIndex } from './search-index.ts'

const pollIntervalMs = 500
/** Changes that follow one another more quickly than this are read together: each order of a product in demand changes it. */
const minReadIntervalMs = 25
const retryDelayMs = 1000
const batchSize = 500
/** Above this number of changed products, not each of them is announced, but that anything may have changed. */
const maxAnnouncedChanges = 5000
/** Above this number of products, an index is asked some questions before it is used, and a garbage collection releases the memory of its build. */
const largeIndexSize = 5000
/** An older index is rebuilt. `deleteOldProductChanges` keeps change log rows for twice as long. */
const maxIndexAgeMs = 30 * 60_000

/** The search index of this process, kept in sync with the database, which is the source of truth. */
export type LiveSearchIndex = {
  /** Undefined until the first build is complete, and while the index lacks more than it has: after the import of a first catalogue. */
  search(query: ParsedQuery): SearchResult | undefined
  /** The products that the question of the query means, read as filters, order and words. Undefined when `search` is. */
  answer(query: ParsedQuery): Answer | undefined
  /** The categories that have products, those with the most first. */
  categoryCounts(): { key: string; count: number }[]
  /** Whether this product is for sale; false for every product until the index is built. */
  hasProduct(id: string): boolean
  hasCategory(key: string): boolean
  /** Resolves once the first build is complete. */
  ready: Promise<void>
  /** Builds the index anew in the background, after a change of the definitions that it is built by. */
  rebuild(): void
  /** Orders what fits equally well by how many buyers it has had lately. */
  setBuyers(buyers: BuyersByProduct): void
  /** Applies all changes that were committed before the call. */
  catchUp(): Promise<void>
  close(): Promise<void>
}

/**
 * Builds the index in the background and follows the product change log. It reads the log on the topic `products`, and also every
 * `pollIntervalMs`, so that a lost notification does no harm. After applying changes it announces the topics that follow from them, for more
 * than `maxAnnouncedChanges` changes `*`. Changes of the terms of sale alone, however many, are written into the index; of others, more than a
 * few thousand make it be rebuilt from the database.
 * @param options `beforeBuild` resolves once what each build depends on besides the products is as it is in the database
 */
export function openLiveSearchIndex(
  db: Database,
  changes: ChangeNotifier<Topic>,
  onError: (error: unknown) => void,
  options: { beforeBuild?: () => Promise<void> } = {},
): LiveSearchIndex {
  return new SyncedIndex(db, changes, onError, options)
}

class SyncedIndex implements LiveSearchIndex {
  readonly ready: Promise<void>
  readonly #db: Database
  readonly #changes: ChangeNotifier<Topic>
  readonly #onError: (error: unknown) => void
  readonly #beforeBuild: () => Promise<void>
  readonly #changeLog: ChangeLogReader
  readonly #pollTimer: NodeJS.Timeout
  #index: SearchIndex | undefined
  /** the index is being rebuilt because it lacks more products than it has */
  #lacksMost = false
  #buyers: BuyersByProduct = new Map()
  #checkedAt = 0
  #lastRead = 0
  #nextRead: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #rebuilding: Promise<void> | undefined
  /** the definitions have changed since the build that is running began */
  #needsAnotherRebuild = false
  /** a rebuilt index that replaces the current one as soon as the changes since its build began are applied to it */
  #rebuilt: { index: SearchIndex; since: string } | undefined
  /** set after a build that failed: when to try again */
  #retryBuildAt: number | undefined
  #closed = false

  constructor(
    db: Database,
    changes: ChangeNotifier<Topic>,
    onError: (error: unknown) => void,
    { beforeBuild = async () => {} }: { beforeBuild?: () => Promise<void> },
  ) {
    this.#beforeBuild = beforeBuild
    this.#db = db
    this.#changes = changes
    this.#onError = onError
    this.#changeLog = new ChangeLogReader(db)
    this.ready = this.#buildFirst()
    this.#pollTimer = setInterval(() => this.catchUp().catch(onError), pollIntervalMs)
    this.#pollTimer.unref()
    changes.onChange('products', () => this.#catchUpSoon())
  }

  search(query: ParsedQuery): SearchResult | undefined {
    return this.#lacksMost ? undefined : this.#index?.search(query)
  }

  answer(query: ParsedQuery): Answer | undefined {
    return this.#index && !this.#lacksMost ? answerQuestion(this.#index, query) : undefined
  }

  categoryCounts(): { key: string; count: number }[] {
    return this.#index?.categoryCounts() ?? []
  }

  hasProduct(id: string): boolean {
    return this.#index?.has(id) ?? false
  }

  hasCategory(key: string): boolean {
    return categoryOf(key) !== undefined
  }

  setBuyers = (buyers: BuyersByProduct): void => {
    this.#buyers = buyers
    this.#index?.setBuyers(buyers)
    this.#rebuilt?.index.setBuyers(buyers)
  }

  rebuild(): void {
    if (this.#closed) return
    this.#rebuilt = undefined // begun by the definitions from before
    this.#needsAnotherRebuild = !this.#index || this.#rebuilding !== undefined
    if (!this.#needsAnotherRebuild) this.#startRebuild()
  }

  catchUp(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    if (!this.#running) {
      this.#running = this.#applyChangeLog().finally(() => {
        this.#running = undefined
      })
      return this.#running
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.catchUp()
      })
    return this.#next
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#pollTimer)
    clearTimeout(this.#nextRead)
    await Promise.allSettled([this.ready, this.#running, this.#next, this.#rebuilding])
  }

  #catchUpSoon(): void {
    this.#nextRead ??= setTimeout(
      () => {
        this.#nextRead = undefined
        this.#lastRead = performance.now()
        this.catchUp().catch(this.#onError)
      },
      Math.max(0, this.#lastRead + minReadIntervalMs - performance.now()),
    )
  }

  async #buildFirst(): Promise<void> {
    while (!this.#closed && !this.#index)
      await this.#build().catch(async (error) => {
        this.#onError(error)
        await new Promise((wait) => setTimeout(wait, retryDelayMs))
      })
    if (this.#needsAnotherRebuild) this.rebuild()
  }

  async #build(): Promise<void> {
    await this.#beforeBuild()
    const since = await findOldestTransaction(this.#db)
    const from = Date.now()
    const built = await buildIndex(allProducts(this.#db, () => this.#closed))
    if (!this.#closed && built.size > largeIndexSize) await warmUp(built)
    if (this.#closed) return
    built.setBuyers(this.#buyers)
    if (this.#index) {
      this.#rebuilt = { index: built, since }
      this.#retryBuildAt = undefined
      await this.catchUp()
      return
    }
    this.#index = built
    releaseMemoryAfterBuild(built)
    this.#changeLog.startAt(since)
    this.#checkedAt = from
    this.#changes.notifyLocally('*') // drop pages cached without the index
  }

  /** Builds a new index while the current one keeps serving queries. The log rows that led to it are not read again, so it is retried. */
  #startRebuild(): void {
    this.#rebuilding ??= this.#build()
      .catch((error) => {
        if (!this.#rebuilt) this.#retryBuildAt = Date.now() + retryDelayMs
        this.#onError(error)
      })
      .finally(() => {
        this.#rebuilding = undefined
        if (this.#needsAnotherRebuild) this.rebuild()
      })
  }

  async #applyChangeLog(): Promise<void> {
    const replacement = this.#rebuilt
    const target = replacement?.index ?? this.#index
    if (!target) return // the build in progress reads current products, and its position in the log is older
    if (replacement) this.#changeLog.startAt(replacement.since)
    else if (Date.now() > Math.min(this.#retryBuildAt ?? Infinity, this.#checkedAt + maxIndexAgeMs)) this.#startRebuild()
    const from = Date.now()
    const { ids, markAsApplied } = await this.#changeLog.read()
    // Rebuilding is not awaited: `catchUp` after a single product change must return quickly.
    const added = target.countNew(ids)
    if (!replacement && added.areTooMany) {
      this.#lacksMost ||= added.areMost
      this.#changes.notifyLocally('*')
      this.#startRebuild()
    } else if (ids.length > 0) {
      await this.#reindex(target, ids, replacement !== undefined)
      if (target.needsRebuild) this.#startRebuild()
    }
    if (replacement) {
      this.#index = target
      this.#lacksMost = false
      if (this.#rebuilt === replacement) this.#rebuilt = undefined
      releaseMemoryAfterBuild(target)
      this.#changes.notifyLocally('*') // drop pages rendered from the previous index
    }
    markAsApplied()
    this.#checkedAt = from
  }

  /** @param isReplacement the build of `target` has just ended: what it lacks is read by no other one */
  async #reindex(target: SearchIndex, ids: string[], isReplacement: boolean): Promise<void> {
    let hasListingChanges = false
    try {
      for (let at = 0; at < ids.length; at += batchSize) {
        const batch = ids.slice(at, at + batchSize)
        const found = await this.#db
          .select(indexedProductColumns)
          .from(products)
          .where(sql`${inArray(products._id, batch)} and ${isForSale}`)
          .orderBy(asc(products.position)) // those that are equal in all else are shown in the order of the index
        const forSaleIds = new Set(found.map(({ _id }) => _id))
        const removed = batch.filter((id) => !forSaleIds.has(id) && target.remove(id))
        const reindexed = await target.put(found)
        hasListingChanges ||= removed.length > 0 || reindexed.length > 0
        if (target.needsRebuild && !isReplacement) break // the rebuild reads the others
      }
    } finally {
      if (hasListingChanges) this.#changes.notifyLocally('listings') // also of some batches alone: once more they change nothing
    }
    if (ids.length > maxAnnouncedChanges) return this.#changes.notifyLocally('*')
    for (const id of ids) this.#changes.notifyLocally(`product:${id}`)
    this.#changes.notifyLocally('search-results')
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
