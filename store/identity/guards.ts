import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Http } from '#platform/http.ts'
import { Refusal } from '#platform/refusal.ts'
import type { User } from './contract.ts'
import type { SignInProvider } from './provider.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** who is asking; only behind a guard */
    user: User
  }
}

/** Hooks that stand before a call: they refuse before anything of the request is read, so a stranger's wrong body is 401, not 400. */
export type Guards = Record<'signedIn' | 'admin' | 'selfOrAdmin', onRequestAsyncHookHandler>

/** Calls accept the bearer only; a cookie would let other sites act in the visitor's name. */
export function openGuards(app: Http, provider: SignInProvider): Guards {
  app.decorateRequest('user')

  async function signedIn(request: FastifyRequest) {
    const { authorization } = request.headers
    const session = authorization && (await provider.api.getSession({ headers: new Headers({ authorization }) }))
    if (!session) throw new Refusal(401, 'Sign in first')
    const { id, name, email, role } = session.user
    request.user = { id, name, email, role: role === 'admin' ? 'admin' : 'customer' }
  }

  return {
    signedIn,
    async admin(request) {
      await signedIn(request)
      if (request.user.role !== 'admin') throw new Refusal(403, 'This is for admins only')
    },
    /** for addresses with `:email`: the account itself, or an admin */
    async selfOrAdmin(request) {
      await signedIn(request)
      const { email } = request.params as { email: string }
      if (email.trim().toLowerCase() !== request.user.email && request.user.role !== 'admin')
        throw new Refusal(403, 'This is for the account itself only')
    },
  }
}
