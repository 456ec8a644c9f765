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

/** Admin endpoints to export and import the definitions of the catalogue. */
export function registerDefinitionRoutes(app: HttpApp, { db, guards, events, whenSettingsAreRead }: Deps) {
  app.route({ ...showDefinitions, onRequest: guards.admin, handler: ({ query }) => definitions.findDefinitions(db, query.revision) })

  app.route({
    ...replaceDefinitions,
    onRequest: guards.admin,
    bodyLimit: maxDefinitionsBytes,
    handler: async ({ query, body, user }) => {
      if (query.dry_run === 'yes') return definitions.previewDefinitions(db, body.definitions)
      const report = await definitions.replaceDefinitions(db, body, user)
      events.definitionsChanged()
      events.ownerNoticesRecorded()
      await whenSettingsAreRead() // so that whoever changed them finds them in use
      return report
    },
  })
}
