import * as z from 'zod'
import { createConcurrencyLimiter } from '#platform/concurrency-limiter.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { maxDefinitionsBytes, replaceDefinitions, showDefinitions } from './contract.ts'
import * as definitions from './rules.ts'

type Deps = {
  db: Database
  guards: Guards
  events: Pick<DomainEvents, 'definitionsChanged' | 'ownerNoticesRecorded'>
  whenSettingsAreRead: () => Promise<void>
}

/** All products are read, to say what changes: about 10 s for 45,000 on a busy machine. */
const responseTimeoutMs = 120_000
/** One reading of all products at a time, so that a colleague who tries definitions out again and again takes one connection. */
const previewLimiterOptions = { maxConcurrent: 1, maxQueued: 2, queueTimeoutMs: 60_000, beforeStart: async () => {} }

/** Admin endpoints to export and import the definitions of the catalogue. */
export function registerDefinitionRoutes(app: HttpApp, { db, guards, events, whenSettingsAreRead }: Deps) {
  /** Whoever may change products may try definitions out. What they are is up to the owners: all products are written by them. */
  const checkOrReplace: Guards['owner'] = async function (request, reply) {
    const isDryRun = z.object({ dry_run: z.literal('yes') }).safeParse(request.query).success
    await (isDryRun ? guards.admin : guards.owner).call(this, request, reply)
  }

  const previewLimiter = createConcurrencyLimiter(previewLimiterOptions)

  app.route({ ...showDefinitions, onRequest: guards.admin, handler: ({ query }) => definitions.findDefinitions(db, query.revision) })

  app.route({
    ...replaceDefinitions,
    onRequest: checkOrReplace,
    bodyLimit: maxDefinitionsBytes,
    config: { responseTimeoutMs },
    handler: async ({ query, body, user }) => {
      if (query.dry_run === 'yes') return previewLimiter.run(() => definitions.previewDefinitions(db, body.definitions), user.id)
      const report = await definitions.replaceDefinitions(db, body, user)
      events.definitionsChanged()
      events.ownerNoticesRecorded()
      await whenSettingsAreRead() // so that whoever changed them finds them in use
      return report
    },
  })
}
