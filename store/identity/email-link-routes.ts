import type { BackgroundTasks } from '#platform/background-tasks.ts'
import { widestClientNetwork } from '#platform/client-network.ts'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { enforceRateLimit } from '#platform/rate-limits.ts'
import { requestPasswordReset, resendVerificationEmail, resetPassword, showVerificationStatus, verifyEmail } from './contract.ts'
import type { Guards } from './guards.ts'
import { passwordHashingRouteConfig, runPasswordHashing } from './passwords.ts'
import { callSignInProvider, forwardSignInResponse } from './provider-calls.ts'
import { limitNetworkAttempts, rememberSignInLocation } from './sign-in-limits.ts'
import type { SignInServices } from './sign-in-services.ts'

type Deps = { db: Database; guards: Guards; signIn: SignInServices; backgroundTasks: BackgroundTasks }

/** Verification emails requested again, per address. A password reset verifies the address too, with its own links and its own limit. */
const verificationEmailLimit = { max: 3, seconds: 24 * 3600 }

/** The routes around links in emails: to set a new password, and to verify an e-mail address. */
export function registerEmailLinkRoutes(app: HttpApp, { db, guards, signIn: { provider, verification }, backgroundTasks }: Deps) {
  app.route({
    ...requestPasswordReset,
    handler: async (request) => {
      await limitNetworkAttempts(db, 'reset', request)
      // The account is looked up after the response, so neither its body nor its timing reveals whether the account exists.
      backgroundTasks.run('Asking for a new password', () => verification.sendResetEmail(request.body.email))
      return { status: true as const }
    },
  })

  app.route({
    ...resetPassword,
    config: passwordHashingRouteConfig,
    handler: async (request, reply) => {
      await limitNetworkAttempts(db, 'new password', request)
      const userId = await verification.findResetUserId(request.body.token)
      const client = { network: widestClientNetwork(request.ip) }
      const response = await runPasswordHashing(client, () => callSignInProvider(provider, request, '/reset-password', request.body))
      if (response.ok && userId) await rememberSignInLocation(db, userId, request, reply)
      return forwardSignInResponse(response, reply)
    },
  })

  app.route({
    ...showVerificationStatus,
    onRequest: guards.signedIn,
    handler: async ({ user }) => ({ verified: await verification.isVerified(user.email) }),
  })

  app.route({
    ...resendVerificationEmail,
    onRequest: guards.signedIn,
    handler: async ({ user }) => {
      if (await verification.isVerified(user.email)) return { verified: true }
      await enforceRateLimit(db, `verification mail to ${user.email}`, verificationEmailLimit)
      backgroundTasks.run('Asking to verify an e-mail', () => verification.sendVerificationEmail(user.email))
      return { verified: false }
    },
  })

  app.route({
    ...verifyEmail,
    config: passwordHashingRouteConfig,
    handler: async (request, reply) => {
      await limitNetworkAttempts(db, 'verification', request)
      const { token, newPassword } = request.body
      const { authorization = '' } = request.headers
      const opener = await provider.api.getSession({ headers: new Headers({ authorization }) })
      const { userId, email } = await verification.confirm(token, { openedBy: opener?.user.id, newPassword })
      if (userId !== opener?.user.id) await rememberSignInLocation(db, userId, request, reply)
      return { email }
    },
  })
}
