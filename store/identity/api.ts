import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Database } from '#platform/database.ts'
import type { Http } from '#platform/http.ts'
import { askAdmin, listUsers, makeAdmin, register, removeUser, signIn, signOut, takeToken } from './contract.ts'
import type { Guards } from './guards.ts'
import { clientAddressHeader, type SignInProvider } from './provider.ts'
import * as identity from './rules.ts'

export function identityCalls(app: Http, { db, guards, provider }: { db: Database; guards: Guards; provider: SignInProvider }) {
  // The sign-in provider answers these itself; its other calls have no address here.
  const forward = forwardTo(provider)
  app.route({ ...signIn, handler: forward })
  app.route({ ...register, handler: forward })
  app.route({ ...signOut, handler: forward })

  app.route({
    ...takeToken,
    onRequest: guards.justSignedIn,
    handler: async ({ sessionToken }) => ({ token: sessionToken }),
  })

  app.route({
    ...askAdmin,
    onRequest: guards.selfOrAdmin,
    handler: async ({ params }) => ({ admin: await identity.isAdmin(db, params.email) }),
  })

  app.route({ ...listUsers, onRequest: guards.admin, handler: () => identity.listAccounts(db) })

  app.route({
    ...makeAdmin,
    onRequest: guards.admin,
    handler: async ({ params }) => ({ modifiedCount: await identity.makeAdmin(db, params.email) }),
  })

  app.route({
    ...removeUser,
    onRequest: guards.admin,
    handler: ({ params, user }) => identity.removeUser(db, user, params.email),
  })
}

const forwardTo = (provider: SignInProvider) => async (request: FastifyRequest, reply: FastifyReply) => {
  const answer = await provider.handler(
    new Request(new URL(request.url, provider.options.baseURL), {
      method: request.method,
      headers: { ...Object.fromEntries(asHeaders(request.headers)), [clientAddressHeader]: request.ip, 'content-type': 'application/json' },
      body: JSON.stringify(request.body ?? {}),
    }),
  )
  reply.code(answer.status).header('cache-control', 'no-store')
  for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie)
  const said: unknown = await answer.json().catch(() => ({}))
  if (answer.ok) return reply.send(said)
  if (answer.status === 429) reply.header('retry-after', answer.headers.get('x-retry-after') ?? '60')
  const { code = '', message = 'The sign-in was refused' } = ProviderRefusal.parse(said)
  return reply.send({ message: words[code] ?? message })
}

const ProviderRefusal = z.object({ code: z.string().optional(), message: z.string().optional() })

/** The provider's refusals in the store's words, where its own would tell too much or too little. */
const words: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail or the password is not right',
  USER_ALREADY_EXISTS: 'This e-mail has an account already: sign in instead',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'This e-mail has an account already: sign in instead',
}

function asHeaders(headers: FastifyRequest['headers']): Headers {
  const { [clientAddressHeader]: _, 'content-length': __, ...kept } = headers
  return new Headers(
    Object.entries(kept).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
  )
}
