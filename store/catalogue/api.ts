import type { Changes } from '#platform/changes.ts'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import type { Jobs } from '#platform/jobs.ts'
import { answerKept } from '#platform/kept-answer.ts'
import type { PageCache } from '#platform/page-cache.ts'
import { Refusal } from '#platform/refusal.ts'
import type { Guards } from '#store/identity/guards.ts'
import { addTool, listTools, removeTool, showTool, updateTool } from './contract.ts'
import { importCalls } from './import/calls.ts'
import * as catalogue from './rules.ts'

type House = { db: Database; guards: Guards; changes: Changes; pages: PageCache; jobs: Jobs }

export function catalogueCalls(app: Http, { db, guards, changes, pages, jobs }: House) {
  const lookups = catalogue.prepareLookups(db)
  importCalls(app, { db, guards, jobs })

  app.route({
    ...listTools,
    handler: (request, reply) =>
      answerKept(pages, listTools.url, request, reply, async () => ({
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: Buffer.from(String(reply.serialize(await lookups.all.execute()))),
        shows: ['tools'],
      })),
  })

  app.route({
    ...showTool,
    handler: async ({ params }) => {
      const [tool] = await lookups.one.execute(params)
      if (!tool) throw new Refusal(404, 'There is no such product')
      return tool
    },
  })

  app.route({
    ...addTool,
    onRequest: guards.admin,
    handler: async ({ body, user }, reply) => {
      const added = await catalogue.add(db, body, user.id)
      changes.tell('tools')
      return reply.code(201).send(added)
    },
  })

  app.route({
    ...updateTool,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      const updated = await catalogue.update(db, params.id, body, user.id)
      changes.tell('tools')
      return updated
    },
  })

  app.route({
    ...removeTool,
    onRequest: guards.admin,
    handler: async ({ params }) => {
      const removed = await catalogue.remove(db, params.id)
      changes.tell('tools')
      return removed
    },
  })
}
