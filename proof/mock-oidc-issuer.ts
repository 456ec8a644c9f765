import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import type { ApiResponse, Store } from '#test/store.ts'
import { findFreePort } from '#test/store-process.ts'

const clientId = 'store'
const clientSecret = 'secret'

type Claims = Record<string, unknown>
/** Somebody with a Google account whose address Google has verified. */
export const googleUserClaims = { sub: 'google-17', email: 'vera@shop.example', email_verified: true, name: 'Vera' }

/** What an issuer does differently from an honest one. */
export type IssuerBehaviour = {
  /** what its ID tokens say; undefined leaves a claim out */
  claims?: Claims
  /** makes another answer to the code, with the claims of the ID token at hand */
  transformTokenResponse?: (body: Record<string, unknown>, claims: Claims) => Record<string, unknown>
  status?: number
}

/** An OpenID issuer that does what a test wants of it: first of all it tells the truth about Vera. */
export async function createMockIssuer() {
  const port = await findFreePort()
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256', { kid: 'its-own' })
  let behaviour: IssuerBehaviour = {}
  let lastToken: MutableToken | undefined
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, googleUserClaims, behaviour.claims)
    for (const [claim, value] of Object.entries(token.payload)) if (value === undefined) delete token.payload[claim]
    lastToken = token
  })
  server.service.on('beforeResponse', (response: MutableResponse) => {
    const { status = 200, transformTokenResponse } = behaviour
    response.statusCode = status
    if (transformTokenResponse && response.body && lastToken) response.body = transformTokenResponse(response.body, lastToken.payload)
  })
  const start = async () => {
    await server.start(port, '127.0.0.1')
    server.issuer.url = url
  }
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    start,
    behaves: (as: IssuerBehaviour) => {
      behaviour = as
    },
    google: () => ({ clientId, clientSecret, issuer: url }),
    stop: () => (server.listening ? server.stop() : undefined),
    [Symbol.asyncDispose]: async () => void (server.listening && (await server.stop())),
  }
}

const encodeJwtPart = (said: object) => Buffer.from(JSON.stringify(said)).toString('base64url')
const jwt = (header: object, payload: object, seal: (signed: string) => string) => {
  const signed = `${encodeJwtPart(header)}.${encodeJwtPart(payload)}`
  return `${signed}.${seal(signed)}`
}
const foreignKeyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** ID tokens that look like the issuer's and are not signed by it. */
export const forgedIdTokens = {
  unsigned: (payload: object, alg = 'none') => jwt({ alg, typ: 'JWT' }, payload, () => ''),
  byForeignKey: (payload: object, header: object = {}) =>
    jwt({ alg: 'RS256', typ: 'JWT', kid: 'its-own', ...header }, payload, rs256Signer(foreignKeyPair.privateKey)),
  bySharedSecret: (payload: object) =>
    jwt({ alg: 'HS256', typ: 'JWT', kid: 'its-own' }, payload, (signed) =>
      createHmac('sha256', clientSecret).update(signed).digest('base64url'),
    ),
  /** with a key that the token itself brings along */
  byOwnKey: (payload: object) =>
    forgedIdTokens.byForeignKey(payload, { jwk: foreignKeyPair.publicKey.export({ format: 'jwk' }), kid: undefined }),
}
const rs256Signer = (key: KeyObject) => (signed: string) => sign('sha256', Buffer.from(signed), key).toString('base64url')

export const cookieHeaderFrom = (answer: ApiResponse): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((set) => set.split(';')[0])
    .join('; ')

/**
 * A visitor presses the button and agrees at the issuer.
 * @returns what the issuer was asked, the address that it leads back to, and the visitor's cookie
 */
export async function startGoogleSignIn(store: Store, from?: string): Promise<{ asked: URL; back: URL; cookie: string }> {
  const begun = await store.visitor.request('POST', '/auth/sign-in/google', from === undefined ? {} : { from })
  if (begun.statusCode !== 200) throw new Error(`The sign-in did not begin: ${begun.body}`)
  const asked = new URL(begun.json().url)
  const agreed = await fetch(asked, { redirect: 'manual' })
  return { asked, back: new URL(agreed.headers.get('location') ?? ''), cookie: cookieHeaderFrom(begun) }
}

type GoogleSignInResult = { answer: ApiResponse; to: URL; error: string | null; session: string | undefined }

/** The visitor comes back. @returns where the store leads, and the session cookie if there is one */
export async function returnFromGoogle(store: Store, { back, cookie }: { back: URL; cookie: string }): Promise<GoogleSignInResult> {
  const answer = await store.visitor.request('GET', back.pathname.slice('/api'.length) + back.search, undefined, cookie ? { cookie } : {})
  const to = new URL(`${answer.headers.location}`, store.origin)
  const session = /nucleus\.session_token=([^;]+)/.exec(cookieHeaderFrom(answer))?.[1]
  return { answer, to, error: to.searchParams.get('error'), session }
}

export const signInWithGoogle = async (store: Store, from?: string): Promise<GoogleSignInResult> =>
  returnFromGoogle(store, await startGoogleSignIn(store, from))

/** Who came in with this session cookie, as the screen asks it. */
export const getSession = async (store: Store, session: string): Promise<unknown> =>
  (await store.visitor.request('GET', '/auth/session', undefined, { cookie: `nucleus.session_token=${session}` })).json()
