import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { Guards } from '#store/identity/guards.ts'
import { listProfileChanges, saveProfile, showProfile, undoProfileChange } from './contract.ts'
import { listProfileChanges as listChanges } from './profile-changes.ts'
import * as profiles from './rules.ts'

export function registerProfileRoutes(app: HttpApp, { db, guards }: { db: Database; guards: Guards }) {
  app.route({ ...showProfile, onRequest: guards.selfOrAdmin, handler: ({ params }) => profiles.listProfilesByEmail(db, params.email) })
  app.route({
    ...saveProfile,
    onRequest: guards.selfOrAdmin,
    handler: ({ params, body, user }) => profiles.saveProfile(db, user, params.email, body),
  })
  app.route({ ...listProfileChanges, onRequest: guards.owner, handler: ({ query }) => listChanges(db, query.before) })
  app.route({
    ...undoProfileChange,
    onRequest: guards.owner,
    handler: ({ params, user }) => profiles.undoProfileChange(db, user, params.id),
  })
}
