import {
  checkAdmin,
  signOut as endSession,
  issueAccessToken,
  register,
  showSession,
  signIn,
  signInWithGoogle,
} from '#store/identity/contract.ts'
import { accessTokenStorage } from '#web/access-token.ts'
import { accountStorage } from '#web/account.ts'
import { callApi } from '#web/call-api.ts'
import { cookieFetch } from './cookie-fetch.ts'

type FormInput<C extends typeof signIn | typeof register> = C['schema']['body']['_zod']['input']

/**
 * Signs in with the sign-in provider and stores the access token. Who was signed in before stays so when it fails.
 * @throws {ApiError} with the message to show
 */
export async function signInWithPassword(form: FormInput<typeof signIn>): Promise<void> {
  await storeSession(await callApi(signIn, { body: form }, cookieFetch))
}

/** Registers, which also signs in. @throws {ApiError} with the message to show */
export async function registerAndSignIn(form: FormInput<typeof register>): Promise<void> {
  await storeSession(await callApi(register, { body: form }, cookieFetch))
}

/** Goes to Google's sign-in page, which redirects back to /login/google. @throws {ApiError} when Google cannot be reached */
export async function redirectToGoogle(from: string | null): Promise<void> {
  const { url } = await callApi(signInWithGoogle, { body: from ? { from } : {} })
  window.location.assign(url)
}

/**
 * Finishes a sign-in with Google. The user comes from the server only, never from the URL.
 * @throws {ApiError} 401 when the cookie belongs to no session
 */
export async function completeGoogleSignIn(): Promise<void> {
  const user = await callApi(showSession, {}, cookieFetch)
  await storeSession({ user })
}

/** Exchanges the cookie of the sign-in just made for the access token, which authenticates every later request. */
async function storeSession({ user }: { user: { name: string; email: string } }): Promise<void> {
  const { email, name } = user
  const { token } = await callApi(issueAccessToken, { params: { email }, body: { email } }, cookieFetch)
  clearSession()
  accessTokenStorage.set(token)
  const { admin } = await callApi(checkAdmin, { params: { email } })
  accountStorage.save({ name, email, admin })
}

/** Checks the role again, so that the menu shows a role that changed since the sign-in. */
export async function refreshRole(): Promise<void> {
  const signedIn = accountStorage.get()
  if (!signedIn) return
  const { admin } = await callApi(checkAdmin, { params: { email: signedIn.email } })
  if (admin !== signedIn.admin) accountStorage.save({ ...signedIn, admin })
}

/** Ends the session on the server and in this browser. In this browser it ends even when the server cannot be reached. */
export async function signOut(): Promise<void> {
  await callApi(endSession, { body: {} }).catch(() => {})
  clearSession() // which also shows that the basket is no longer known here
}

/** Deletes the access token and the account from this browser; the server's session is not ended. */
export function clearSession(): void {
  accessTokenStorage.clear()
  accountStorage.clear()
}
