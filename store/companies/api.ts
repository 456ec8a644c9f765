import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import type { DomainEvents } from '#store/domain-events.ts'
import type { User } from '#store/identity/contract.ts'
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

type Limiter = { run<Result>(key: string, work: () => Promise<Result>): Promise<Result> }
/** `ofAccount`, `ofNetwork`: how many changes each makes at a time */
type Deps = { db: Database; guards: Guards; events: DomainEvents; ofAccount: Limiter; ofNetwork: Limiter }
type InTurn = <Result>(request: { user: Pick<User, 'id'>; ip: string }, change: () => Promise<Result>) => Promise<Result>
type RouteDeps = Omit<Deps, 'ofAccount' | 'ofNetwork'> & { inTurn: InTurn }

/**
 * An account has one change at a time and a network a few: what waits for the lock of a company holds a connection, and hundreds of changes of
 * one would hold all.
 */
export function registerCompanyRoutes(app: HttpApp, { ofAccount, ofNetwork, ...deps }: Deps) {
  const inTurn: InTurn = ({ user, ip }, change) => ofAccount.run(user.id, () => ofNetwork.run(widestClientNetwork(ip), change))
  registerOwnCompanyRoutes(app, { ...deps, inTurn })
  registerInvitationRoutes(app, { ...deps, inTurn })
  registerAddressRoutes(app, { ...deps, inTurn })
}

function registerOwnCompanyRoutes(app: HttpApp, { db, guards: { signedIn }, inTurn }: RouteDeps) {
  app.route({
    ...showCompany,
    onRequest: signedIn,
    handler: async ({ user }) => ({ company: (await companies.findCompany(db, user)) ?? null }),
  })
  app.route({
    ...foundCompany,
    onRequest: signedIn,
    handler: async (request, reply) =>
      reply.code(201).send(await inTurn(request, () => companies.foundCompany(db, request.user, request.body))),
  })
  app.route({
    ...changeCompany,
    onRequest: signedIn,
    handler: (request) => inTurn(request, () => companies.changeCompany(db, request.user, request.body)),
  })
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
    handler: async (request) => {
      const { params, body, user } = request
      return { members: await inTurn(request, () => members.changeRole(db, user, params.id, body.role)) }
    },
  })
  app.route({
    ...removeCompanyMember,
    onRequest: signedIn,
    handler: async (request) => {
      await inTurn(request, () => members.endMembership(db, request.user, request.params.id))
      return { deletedCount: 1 as const }
    },
  })
}

function registerInvitationRoutes(app: HttpApp, { db, guards: { signedIn }, events, inTurn }: RouteDeps) {
  app.route({
    ...listCompanyInvitations,
    onRequest: signedIn,
    handler: async ({ user }) => ({ invitations: await invitations.listInvitations(db, user) }),
  })
  app.route({
    ...inviteToCompany,
    onRequest: signedIn,
    handler: async (request, reply) => {
      const { body, ip, user } = request
      const invitation = await inTurn(request, () => invitations.invite(db, user, body.email, ip))
      events.companyInvitationRecorded()
      return reply.code(201).send(invitation)
    },
  })
  app.route({
    ...takeBackInvitation,
    onRequest: signedIn,
    handler: async (request) => {
      await inTurn(request, () => invitations.takeBack(db, request.user, request.params.id))
      return { deletedCount: 1 as const }
    },
  })
  app.route({ ...showCompanyInvitation, onRequest: signedIn, handler: ({ params, user }) => invitations.preview(db, user, params.token) })
  app.route({
    ...acceptCompanyInvitation,
    onRequest: signedIn,
    handler: (request) => inTurn(request, () => invitations.accept(db, request.user, request.params.token)),
  })
}

function registerAddressRoutes(app: HttpApp, { db, guards: { signedIn }, inTurn }: RouteDeps) {
  app.route({
    ...listCompanyAddresses,
    onRequest: signedIn,
    handler: async ({ user }) => ({ addresses: await addresses.listAddresses(db, user) }),
  })
  app.route({
    ...addCompanyAddress,
    onRequest: signedIn,
    handler: async (request, reply) =>
      reply.code(201).send(await inTurn(request, () => addresses.addAddress(db, request.user, request.body))),
  })
  app.route({
    ...changeCompanyAddress,
    onRequest: signedIn,
    handler: (request) => inTurn(request, () => addresses.changeAddress(db, request.user, request.params.id, request.body)),
  })
  app.route({
    ...removeCompanyAddress,
    onRequest: signedIn,
    handler: async (request) => {
      await inTurn(request, () => addresses.removeAddress(db, request.user, request.params.id))
      return { deletedCount: 1 as const }
    },
  })
}
