import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { defaultErrorCode } from '#platform/http-error.ts'
import type { ErrorCode } from '#shared/error-codes.ts'
import { invalidLinkMessage } from './contract.ts'
import { providerUnavailableError, type SignInProvider } from './sign-in-provider.ts'

/* How routes call the sign-in provider with the headers of a request, and forward its responses. Its other endpoints are not exposed. */

/** The token of the new session and the user who signed in. */
export const parseSignInResponse = async (response: Response) => SignInResponse.parse(await response.clone().json())
const SignInResponse = z.object({ token: z.string(), user: z.object({ id: z.string() }) })

/**
 * Calls an endpoint of the sign-in provider with the headers of this request.
 * @param credentials which of the request's bearer token and cookie the provider may see; both when absent
 */
export function callSignInProvider(
  provider: SignInProvider,
  request: FastifyRequest,
  call: string,
  body: object,
  credentials?: Headers,
): Promise<Response> {
  const headers = new Headers({ ...forwardedHeaders(request), 'content-type': 'application/json' })
  if (credentials && !credentials.has('authorization')) headers.delete('authorization')
  const url = new URL(`/api/auth${call}`, provider.options.baseURL)
  return provider.handler(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }))
}

export function forwardedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const { 'content-length': _, ...forwarded } = headers
  return Object.fromEntries(Object.entries(forwarded).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

export function copySetCookies(response: Response, reply: FastifyReply) {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** Forwards the provider's response, with the store's messages for its errors. */
export async function forwardSignInResponse(response: Response, reply: FastifyReply) {
  reply.code(response.status)
  copySetCookies(response, reply)
  const body: unknown = (await response.json().catch(() => null)) ?? {}
  if (response.ok) return reply.send(body)
  const { code = '', message = 'The sign-in was refused' } = ProviderError.parse(body)
  if (response.status >= 500 || code.startsWith('FAILED_TO_')) throw providerUnavailableError(new Error(code))
  return reply.send({ message, code: defaultErrorCode(response.status), ...providerErrors[code] })
}

const ProviderError = z.object({ code: z.string().optional(), message: z.string().optional() })

const emailTaken = { message: 'This e-mail has an account already: sign in instead', code: 'email_taken' } as const

/** The store's messages for the provider's error codes, where the provider's own message reveals too much or explains too little. */
const providerErrors: Record<string, { message: string; code?: ErrorCode }> = {
  INVALID_EMAIL_OR_PASSWORD: { message: 'The e-mail or the password is not right', code: 'invalid_credentials' },
  USER_ALREADY_EXISTS: emailTaken,
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: emailTaken,
  MISSING_OR_NULL_ORIGIN: { message: 'A browser has to say which page it comes from (Origin)' },
  INVALID_ORIGIN: { message: 'Sign in on the page of the store itself' },
  INVALID_TOKEN: { message: invalidLinkMessage, code: 'invalid_link' },
}
