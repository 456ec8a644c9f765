import { askAdmin, signOut as endSession, register, showSession, signIn, signInWithGoogle, takeToken } from '#store/identity/contract.ts'
import { account } from '#web/account.ts'
import type { Door } from '#web/door.ts'
import { send, unreached } from '#web/send.ts'
import { token } from '#web/token.ts'

type Parameters<C extends typeof signIn | typeof register> = C['schema']['body']['_zod']['input']

/** Signs in with the sign-in provider and remembers the store's access token. @throws {Refusal} in the provider's words */
export async function enter(form: Parameters<typeof signIn>): Promise<void> {
  forget() // an ended session must not speak for this one
  await remember(await send(signIn, { body: form }))
}

/** Registers, which signs in at once. @throws {Refusal} in the provider's words */
export async function enterAsNew(form: Parameters<typeof register>): Promise<void> {
  forget()
  await remember(await send(register, { body: form }))
}

/** Leaves for Google, which leads back to /login/google. @throws {Refusal} when Google cannot be reached */
export async function leaveForGoogle(from: string | null): Promise<void> {
  const { url } = await send(signInWithGoogle, { body: from ? { from } : {} })
  window.location.assign(url)
}

/** The sign-in provider's cookie is the proof here: the token of whoever was signed in before must not speak for it. */
const byCookie: Door = (path, request) => fetch(path, request).catch(unreached)

/** Comes back from Google. Who it is the server says: nothing else changes whom this browser shows. @throws {Refusal} without a sign-in */
export async function enterFromGoogle(): Promise<void> {
  const user = await send(showSession, {}, byCookie)
  await remember({ user }, byCookie)
}

/** The sign-in just made is the proof (its cookie travels along); the store's own token is what every call after it shows. */
async function remember({ user }: { user: { name: string; email: string } }, door?: Door): Promise<void> {
  const { email, name } = user
  const taken = await send(takeToken, { params: { email }, body: { email } }, door)
  forget()
  token.keep(taken.token)
  const { admin } = await send(askAdmin, { params: { email } })
  account.keep({ name, email, admin })
}

/** Asks anew whether this account is an admin, so that the menu follows a role that was given meanwhile. */
export async function askRole(): Promise<void> {
  const signedIn = account.get()
  if (!signedIn) return
  const { admin } = await send(askAdmin, { params: { email: signedIn.email } })
  if (admin !== signedIn.admin) account.keep({ ...signedIn, admin })
}

/** Ends the session here and on the server. A server that cannot be reached does not keep anybody signed in on this screen. */
export async function signOut(): Promise<void> {
  await send(endSession, { body: {} }).catch(() => {})
  forget()
}

/** This browser no longer shows anybody as signed in. */
export function forget(): void {
  token.forget()
  account.forget()
}
