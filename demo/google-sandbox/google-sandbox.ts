import { generateKeyPair, randomBytes } from 'node:crypto'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Provider, { interactionPolicy } from 'oidc-provider'
import { accountPickerPage } from './account-picker-page.ts'
import { MemoryAdapter } from './memory-adapter.ts'
import { subjectOf, type TestPerson, testPeople } from './test-people.ts'

const portsToTry = 21
const callback = '/api/auth/callback/google'

/** The OAuth client settings for the store. */
export type GoogleSandbox = { issuer: string; clientId: string; clientSecret: string; close(): Promise<void> }

/**
 * Starts the replacement for Google in demo mode: a real OpenID provider on the first free loopback port from `port` on (0: any).
 * Its state is in memory: a sign-in in progress during a restart must be started again.
 * @param origins the origins of the store, allowed for redirects
 */
export async function openGoogleSandbox({ port, origins }: { port: number; origins: string[] }): Promise<GoogleSandbox> {
  const server = http.createServer()
  const issuer = `http://127.0.0.1:${await listen(server, port)}`
  const client = { clientId: 'nucleus-of-pc', clientSecret: randomBytes(24).toString('base64url') }
  const known = new Map<string, TestPerson>()
  const provider = await openProvider(issuer, client, origins, known)

  const handleOidc = provider.callback()
  server.on('request', (request, response) => {
    const uid = /^\/interaction\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    if (!uid) return handleOidc(request, response)
    handleInteraction(provider, known, uid, request, response).catch(() => {
      response
        .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
        .end('This sign-in has ended. Go back to the store and begin again.')
    })
  })
  return {
    issuer,
    ...client,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function openProvider(
  issuer: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  origins: string[],
  known: Map<string, TestPerson>,
): Promise<Provider> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  return new Provider(issuer, {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: origins.map((origin) => origin + callback),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'stand-in' }] },
    cookies: {
      keys: [randomBytes(24).toString('base64url')],
      names: { session: 'stand_in_session', interaction: 'stand_in_interaction', resume: 'stand_in_resume' },
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false, // Google also includes name and email in the ID token
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    // Picking a person counts as consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount: (_context, sub) => {
      const person = known.get(sub)
      return person && { accountId: sub, claims: () => ({ sub, name: person.name, email: person.email, email_verified: person.verified }) }
    },
  })
}

async function handleInteraction(
  provider: Provider,
  known: Map<string, TestPerson>,
  uid: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    await provider.interactionDetails(request, response) // throws when there is no such sign-in
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .end(accountPickerPage(uid))
    return
  }
  const form = new URLSearchParams(await text(request))
  if (form.has('cancel')) {
    const denied = { error: 'access_denied', error_description: 'You cancelled the sign-in with Google' }
    return provider.interactionFinished(request, response, denied, { mergeWithLastSubmission: false })
  }
  const person = testPeople[Number(form.get('person') ?? Number.NaN)] ?? personFromForm(form)
  const accountId = subjectOf(person)
  known.set(accountId, person)
  const result = { login: { accountId, remember: false }, select_account: {} }
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const personFromForm = (form: URLSearchParams): TestPerson => ({
  name: form.get('name') ?? '',
  email: form.get('email') ?? '',
  verified: form.has('verified'),
})

async function listen(server: http.Server, first: number): Promise<number> {
  for (let port = first; ; port++) {
    const failed = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      server.once('error', resolve)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    const address = server.address()
    if (!failed && typeof address === 'object' && address) return address.port
    if (failed?.code !== 'EADDRINUSE' || port + 1 >= first + portsToTry) throw failed ?? new Error('The stand-in for Google has no port')
  }
}
