import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { openPlaces, type Places } from '#platform/places.ts'
import { Refusal } from '#platform/refusal.ts'
import { openTurns } from '#platform/turns.ts'
import { answerWritten } from '#platform/written-answer.ts'
import type { Guards } from '#store/identity/guards.ts'
import { drawingOf } from './categories.ts'
import {
  addTool,
  compareParts,
  listCategories,
  type Part,
  Question,
  removeTool,
  searchTools,
  showPart,
  showTool,
  suggestTools,
  updateTool,
} from './contract.ts'
import { importCalls } from './import/calls.ts'
import * as parts from './parts.ts'
import * as catalogue from './rules.ts'
import { type Answered, type Asked, readQuestion } from './search/asked.ts'
import { writtenPage } from './search/cards.ts'
import { askInSql } from './search/in-sql.ts'
import type { Search } from './search/live-index.ts'
import { openWholeCatalogue } from './whole-catalogue.ts'

type House = { db: Database; guards: Guards; changes: Changes; jobs: Jobs; search: Search; reads: Places }

/** So many of each are offered while somebody types. */
const suggested = { tools: 6, categories: 3 }

/** A search takes up to a few milliseconds of the process: anybody can ask for any number, and an order must come between. */
const searching = { turnMs: 10, queue: 512, waitMs: 2000 }
/** Until the index is ready a search asks the database, whose other connections are for orders. */
const searchingInSql = { places: 4, queue: 64, waitMs: 2000, before: async () => {} }

const everything = readQuestion(Question.parse({ limit: 1 }))

const categoriesIn = (found: Answered | undefined) =>
  found?.facets.flatMap((facet) => (facet.kind === 'choice' && facet.key === 'category' ? facet.choices : [])) ?? []

export function catalogueCalls(app: Http, { db, guards, changes, jobs, search, reads }: House) {
  const lookups = catalogue.prepareLookups(db)
  const turns = openTurns(searching)
  const inSql = openPlaces(searchingInSql)
  importCalls(app, { db, guards, jobs })

  /** What a page asks inside the store has no connection, and waits for nobody: the page had to. */
  const find = async (asked: Asked, { raw }: FastifyRequest) => {
    const timed = () => {
      const begun = performance.now()
      return { inMemory: search.ask(asked), tookMs: performance.now() - begun }
    }
    return raw instanceof IncomingMessage ? turns.run(timed) : timed()
  }

  /** Who has changed a product sees it changed wherever they look next. */
  const shown = async () => {
    changes.tell('tools')
    await search.catchUp().catch(() => {}) // it looks again by itself
  }

  openWholeCatalogue(app, { lookups, changes, reads })

  app.route({
    ...showTool,
    handler: async ({ params }) => {
      const [tool] = await lookups.one.execute(params)
      if (!tool) throw new Refusal(404, 'There is no such product')
      return tool
    },
  })

  app.route({ ...showPart, handler: ({ params }) => parts.show(db, params.id) })

  app.route({ ...compareParts, handler: ({ query }) => parts.compare(db, query.id) })

  app.route({
    ...searchTools,
    config: { boundsItself: true },
    handler: async (request, reply) => {
      const asked = readQuestion(request.query)
      const { inMemory, tookMs } = await find(asked, request)
      const begun = performance.now()
      const { total, facets, cards } = inMemory ?? (await inSql.run(() => askInSql(db, asked)))
      const took = (inMemory ? tookMs : performance.now() - begun).toFixed(2)
      const end = asked.offset + asked.limit
      const page = writtenPage({ total, facets, next: end < total ? `${end}` : null }, cards)
      reply.header('server-timing', `search;desc="${inMemory ? 'index' : 'sql'}";dur=${took}`)
      return answerWritten(reply, page)
    },
  })

  app.route({
    ...listCategories,
    config: { boundsItself: true },
    handler: async () =>
      categoriesIn(search.ask(everything)).map(({ value, label, count }) => ({ key: value, label, count, drawing: drawingOf(value) })),
  })

  app.route({
    ...suggestTools,
    config: { boundsItself: true },
    handler: async (request) => {
      const { inMemory: found } = await find(readQuestion(Question.parse({ q: request.query.q, limit: suggested.tools })), request)
      return {
        tools: found?.cards.map((card): Part => JSON.parse(card)) ?? [],
        categories: categoriesIn(found).slice(0, suggested.categories),
      }
    },
  })

  app.route({
    ...addTool,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => {
      const added = await catalogue.add(db, body, user.id)
      await shown()
      return reply.code(201).send(added)
    },
  })

  app.route({
    ...updateTool,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const updated = await catalogue.update(db, params.id, body, user.id)
      await shown()
      return updated
    },
  })

  app.route({
    ...removeTool,
    onRequest: guards.admin,
    handler: async ({ params }) => {
      const removed = await catalogue.remove(db, params.id)
      await shown()
      return removed
    },
  })
}
