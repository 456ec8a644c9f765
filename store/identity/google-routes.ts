import type { FastifyRequest } from 'fastify'
import type { Database } from '#platform/database.ts'
import type { HttpApp } from '#platform/http.ts'
import { signInWithGoogle } from './contract.ts'
import { callSignInProvider, copySetCookies, forwardedHeaders, forwardSignInResponse } from './provider-calls.ts'
import { limitNetworkAttempts, rememberSignInLocation } from './sign-in-limits.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import type { SignInServices } from './sign-in-services.ts'

/** Sign-in with Google: the redirect to Google, and its callback. */
export function registerGoogleRoutes(app: HttpApp, db: Database, google: NonNullable<SignInServices['google']>) {
  app.route({
    ...signInWithGoogle,
    handler: async (request, reply) => {
      await limitNetworkAttempts(db, 'google', request)
      const callbackUrl = `/login/google${request.body.from ? `?${new URLSearchParams({ from: request.body.from })}` : ''}`
      const signInRequest = { provider: 'google', callbackURL: callbackUrl, errorCallbackURL: callbackUrl, disableRedirect: true }
      const googleProvider = await google(requestOrigin(request))
      return forwardSignInResponse(await callSignInProvider(googleProvider, request, '/sign-in/social', signInRequest), reply)
    },
  })

  app.get('/auth/callback/google', { schema: { hide: true } }, async (request, reply) => {
    await limitNetworkAttempts(db, 'coming back from google', request)
    const googleProvider = await google(requestOrigin(request))
    const url = new URL(request.url, googleProvider.options.baseURL)
    const response = await googleProvider.handler(new Request(url, { headers: forwardedHeaders(request) }))
    copySetCookies(response, reply)
    const { to, userId } = await resolveGoogleRedirect(googleProvider, response)
    if (userId) await rememberSignInLocation(db, userId, request, reply)
    return reply.redirect(to)
  })
}

/** The origin at which this visitor reaches the store. */
const requestOrigin = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}`

/**
 * The redirect after Google's callback leads to /login/google. Its URL does not name the user, since anybody can craft a URL: the screen
 * asks the server with the session cookie that was just set. A failed sign-in has its error code in the query parameter `error`.
 */
async function resolveGoogleRedirect(provider: SignInProvider, response: Response): Promise<{ to: string; userId?: string }> {
  const location = new URL(response.headers.get('location') ?? '/login/google?error=unknown', provider.options.baseURL)
  const to = location.pathname + location.search
  if (location.searchParams.has('error')) return { to }
  const cookie = response.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const session = await provider.api.getSession({ headers: new Headers({ cookie }) })
  return session ? { to, userId: session.user.id } : { to: '/login/google?error=unknown' }
}
