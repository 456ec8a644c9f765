import { eq } from 'drizzle-orm'
import type { BackgroundTasks } from '#platform/background-tasks.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { register, signIn, signOut } from './contract.ts'
import type { Guards } from './guards.ts'
import { findPasswordHash, passwordHashingRouteConfig, runPasswordHashing } from './passwords.ts'
import { callSignInProvider, forwardSignInResponse, parseSignInResponse } from './provider-calls.ts'
import { limitNetworkAttempts, limitSignInAttempts, limitSuccessfulSignIns, rememberSignInLocation } from './sign-in-limits.ts'
import type { SessionHooks, SignInServices } from './sign-in-services.ts'
import { sessions } from './table.ts'

type Deps = { db: Database; guards: Guards; signIn: SignInServices; backgroundTasks: BackgroundTasks; sessionHooks: SessionHooks }

/** Registration, sign-in with e-mail and password, and sign-out: the sign-in provider does them, and the store limits and adds to them. */
export function registerPasswordRoutes(
  app: HttpApp,
  { db, guards, signIn: { provider, verification }, backgroundTasks, sessionHooks }: Deps,
) {
  app.route({
    ...signIn,
    config: passwordHashingRouteConfig,
    handler: async (request, reply) => {
      const { email } = request.body
      const attempt = await limitSignInAttempts(db, email, request)
      const hashBefore = await findPasswordHash(db, email)
      const client = { network: widestClientNetwork(request.ip), isKnownDevice: attempt.isKnownDevice }
      const response = await runPasswordHashing(client, () => callSignInProvider(provider, request, '/sign-in/email', request.body))
      if (!response.ok) return forwardSignInResponse(response, reply)
      const { token, user } = await parseSignInResponse(response)
      // The password may have been changed since the hash was read. That change revoked the sessions it found, but this one may have been
      // inserted after that.
      try {
        if ((await findPasswordHash(db, email)) !== hashBefore)
          throw new HttpError(401, passwordChangedMessage, undefined, { code: 'invalid_credentials' })
        await limitSuccessfulSignIns(db, email)
      } catch (error) {
        await db.delete(sessions).where(eq(sessions.token, token))
        throw error
      }
      await attempt.undo()
      await rememberSignInLocation(db, user.id, request, reply)
      return forwardSignInResponse(response, reply)
    },
  })

  app.route({
    ...register,
    config: passwordHashingRouteConfig,
    handler: async (request, reply) => {
      await limitNetworkAttempts(db, 'registration', request)
      const client = { network: widestClientNetwork(request.ip) }
      const response = await runPasswordHashing(client, () => callSignInProvider(provider, request, '/sign-up/email', request.body))
      if (!response.ok) return forwardSignInResponse(response, reply)
      backgroundTasks.run('Asking to verify an e-mail', () => verification.sendVerificationEmail(request.body.email))
      await rememberSignInLocation(db, (await parseSignInResponse(response)).user.id, request, reply)
      return forwardSignInResponse(response, reply)
    },
  })

  app.route({
    ...signOut,
    handler: async (request, reply) => {
      const callSignOut = (credentials: Headers) => callSignInProvider(provider, request, '/sign-out', {}, credentials)
      const response = await guards.callWithCredentials(request, callSignOut)
      await sessionHooks.signedOut(request, reply)
      return forwardSignInResponse(response, reply)
    },
  })
}

const passwordChangedMessage = 'The password was changed at this moment: sign in with the new one'
