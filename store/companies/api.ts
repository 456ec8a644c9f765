import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { Guards } from '#store/identity/guards.ts'
import { addCompanyAddress, changeCompanyAddress, listCompanyAddresses, removeCompanyAddress } from './address-contract.ts'
import * as addresses from './addresses.ts'
import {
  acceptCompanyInvitation,
  changeCompany,
  changeCompanyRole,
  foundCompany,
  inviteToCompany,
  listCompanyInvitations,
  listCompanyMembers,
  removeCompanyMember,
  showCompany,
  showCompanyInvitation,
  takeBackInvitation,
} from './contract.ts'
import * as invitations from './invitations.ts'
import * as members from './members.ts'
import * as companies from './rules.ts'

type Deps = { db: Database; guards: Guards; events: DomainEvents }

export function registerCompanyRoutes(app: HttpApp, deps: Deps) {
  const { db, guards } = deps
  const { signedIn } = guards
  registerInvitationRoutes(app, deps)
  registerAddressRoutes(app, deps)

  app.route({
    ...showCompany,
    onRequest: signedIn,
    handler: async ({ user }) => ({ company: (await companies.findCompany(db, user)) ?? null }),
  })
  app.route({
    ...foundCompany,
    onRequest: signedIn,
    handler: async ({ body, user }, reply) => reply.code(201).send(await companies.foundCompany(db, user, body)),
  })
  app.route({ ...changeCompany, onRequest: signedIn, handler: ({ body, user }) => companies.changeCompany(db, user, body) })
  app.route({
    ...listCompanyMembers,
    onRequest: signedIn,
    handler: async ({ user }) => {
      const { companyId } = await members.findMembership(db, user)
      return { members: await members.listMembers(db, companyId, user) }
    },
  })
  app.route({
    ...changeCompanyRole,
    onRequest: signedIn,
    handler: async ({ params, body, user }) => ({ members: await members.changeRole(db, user, params.id, body.role) }),
  })
  app.route({
    ...removeCompanyMember,
    onRequest: signedIn,
    handler: async ({ params, user }) => {
      await members.endMembership(db, user, params.id)
      return { deletedCount: 1 as const }
    },
  })
}

function registerInvitationRoutes(app: HttpApp, { db, guards: { signedIn }, events }: Deps) {
  app.route({
    ...listCompanyInvitations,
    onRequest: signedIn,
    handler: async ({ user }) => ({ invitations: await invitations.listInvitations(db, user) }),
  })
  app.route({
    ...inviteToCompany,
    onRequest: signedIn,
    handler: async ({ body, ip, user }, reply) => {
      const invitation = await invitations.invite(db, user, body.email, ip)
      events.companyInvitationRecorded()
      return reply.code(201).send(invitation)
    },
  })
  app.route({
    ...takeBackInvitation,
    onRequest: signedIn,
    handler: async ({ params, user }) => {
      await invitations.takeBack(db, user, params.id)
      return { deletedCount: 1 as const }
    },
  })
  app.route({ ...showCompanyInvitation, onRequest: signedIn, handler: ({ params, user }) => invitations.preview(db, user, params.token) })
  app.route({ ...acceptCompanyInvitation, onRequest: signedIn, handler: ({ params, user }) => invitations.accept(db, user, params.token) })
}

function registerAddressRoutes(app: HttpApp, { db, guards: { signedIn } }: Deps) {
  app.route({
    ...listCompanyAddresses,
    onRequest: signedIn,
    handler: async ({ user }) => ({ addresses: await addresses.listAddresses(db, user) }),
  })
  app.route({
    ...addCompanyAddress,
    onRequest: signedIn,
    handler: async ({ body, user }, reply) => reply.code(201).send(await addresses.addAddress(db, user, body)),
  })
  app.route({
    ...changeCompanyAddress,
    onRequest: signedIn,
    handler: ({ params, body, user }) => addresses.changeAddress(db, user, params.id, body),
  })
  app.route({
    ...removeCompanyAddress,
    onRequest: signedIn,
    handler: async ({ params, user }) => {
      await addresses.removeAddress(db, user, params.id)
      return { deletedCount: 1 as const }
    },
  })
}
