import { account } from '#web/account.ts'
import { token } from '#web/token.ts'

/** Ends the session of this browser. */
export async function signOut(): Promise<void> {
  account.forget()
  token.forget()
}
