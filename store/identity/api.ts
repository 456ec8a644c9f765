import type { BackgroundTasks } from '#platform/background-tasks.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import { type AdminLimit, enforceAdminLimit } from './admin-limits.ts'
import {
  checkAdmin,
  issueAccessToken,
  liftBuyerLimits,
  listRemovedUsers,
  listUserPage,
  listUsers,
  makeAdmin,
  removeUser,
  restoreUser,
  revokeAdmin,
  showSession,
  type User,
} from './contract.ts'
import { registerEmailLinkRoutes } from './email-link-routes.ts'
import { registerGoogleRoutes } from './google-routes.ts'
import type { Guards } from './guards.ts'
import { registerPasswordRoutes } from './password-routes.ts'
import * as identity from './rules.ts'
import type { SessionHooks, SignInServices } from './sign-in-services.ts'

type Deps = {
  db: Database
  guards: Guards
  signIn: SignInServices
  backgroundTasks: BackgroundTasks
  events: DomainEvents
  /** what else happens when an account is removed: `within` runs in the removal's transaction, `after` once that is committed */
  removalHooks: { within: (tx: Database, userId: string) => Promise<void>; after: () => void }
  sessionHooks: SessionHooks
}

/**
 * Role changes, removals, restorations and changes of limits. They can email every owner, a removal ends a customer's unpaid orders for
 * good, and an account without limits can hold all of the stock.
 */
const accountChangeLimit: AdminLimit = {
  key: 'account changes by admins',
  window: { max: 20, seconds: 3600 },
  what: 'Admins who are no owners have asked for 20 changes of roles and limits, removals and restorations within an hour, which is as many as they can together',
}
const limitAccountChanges = (db: Database, user: User) => enforceAdminLimit(db, user, accountChangeLimit)

export function registerIdentityRoutes(app: HttpApp, deps: Deps) {
  registerPasswordRoutes(app, deps)
  registerEmailLinkRoutes(app, deps)
  if (deps.signIn.google) registerGoogleRoutes(app, deps.db, deps.signIn.google)
  registerSessionRoutes(app, deps)
  registerAccountRoutes(app, deps)
}

/** Who has signed in, and as what. */
function registerSessionRoutes(app: HttpApp, { db, guards, signIn: { provider }, sessionHooks }: Deps) {
  app.route({
    ...showSession,
    handler: async (request) => {
      const session = await guards.callWithCredentials(request, (headers) => provider.api.getSession({ headers }))
      if (!session || session.user.removedAt) throw new HttpError(401, 'Sign in first')
      return { name: session.user.name, email: session.user.email }
    },
  })

  app.route({
    ...issueAccessToken,
    onRequest: guards.justSignedIn,
    handler: async (request, reply) => {
      await sessionHooks.signedIn(request, reply)
      return { token: request.sessionToken }
    },
  })

  app.route({
    ...checkAdmin,
    onRequest: guards.selfOrAdmin,
    handler: async ({ params }) => ({ admin: await identity.isAdmin(db, params.email) }),
  })
}

/** What admins and owners do with accounts. */
function registerAccountRoutes(app: HttpApp, { db, guards, events, removalHooks }: Deps) {
  app.route({ ...listUsers, onRequest: guards.admin, handler: () => identity.listAccounts(db) })

  app.route({ ...listUserPage, onRequest: guards.admin, handler: ({ query, user }) => identity.listAccountPage(db, query, user.email) })

  app.route({
    ...makeAdmin,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await limitAccountChanges(db, user)
      return { modifiedCount: await wakingOwnerNotices(events, identity.makeAdmin(db, params.email, user.email)) }
    },
  })

  app.route({
    ...removeUser,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await limitAccountChanges(db, user)
      const removed = await wakingOwnerNotices(events, identity.removeUser(db, user, params.email, removalHooks.within))
      removalHooks.after()
      return removed
    },
  })

  app.route({
    ...liftBuyerLimits,
    onRequest: guards.admin,
    handler: async ({ params, body, user }) => {
      await limitAccountChanges(db, user)
      return wakingOwnerNotices(events, identity.liftBuyerLimits(db, params.email, body.lifted, user.email))
    },
  })

  app.route({
    ...revokeAdmin,
    onRequest: guards.owner,
    handler: async ({ params, user }) => {
      await wakingOwnerNotices(events, identity.revokeAdmin(db, params.email, user.email))
      return { modifiedCount: 1 }
    },
  })

  app.route({ ...listRemovedUsers, onRequest: guards.admin, handler: () => identity.listRemovedUsers(db) })

  app.route({
    ...restoreUser,
    onRequest: guards.admin,
    handler: async ({ params, user }) => {
      await limitAccountChanges(db, user)
      return identity.restoreUser(db, params.email)
    },
  })
}

/** Wakes the owner notice worker once the change is committed: the change has written its notices in the same transaction. */
async function wakingOwnerNotices<Done>(events: DomainEvents, change: Promise<Done>): Promise<Done> {
  const done = await change
  events.ownerNoticesRecorded()
  return done
}
