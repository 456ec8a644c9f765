import { Outlet, redirect } from 'react-router'
import { askAdmin } from '#store/identity/contract.ts'
import { account } from '#web/account.ts'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { token } from '#web/token.ts'
import type { Route } from './+types/admin-only'
import { forget, signOut } from './session.ts'
import { loginAsNoAdmin, loginFrom } from './way-back.ts'

/** Where the holder of this token was let in: searching or turning a page there asks nothing again. Whoever loses the role loses the token too. */
let admitted: { at: string; token: string | null } | undefined

/** Signs out whoever is definitely no admin. When the store cannot be asked nobody is signed out: the error screen offers to try again. */
const needAdmin: Route.ClientMiddlewareFunction = async ({ request }) => {
  const signedIn = account.get()
  if (!signedIn) throw redirect(loginFrom(request.url))
  const at = new URL(request.url).pathname
  if (admitted?.at === at && admitted.token === token.get()) return
  const admin = await send(askAdmin, { params: { email: signedIn.email } }).then(
    (answer) => answer.admin,
    (refusal) => {
      if (!(refusal instanceof Refusal) || (refusal.status !== 401 && refusal.status !== 403)) throw refusal
      forget()
      if (refusal.status === 401) throw redirect(loginFrom(request.url)) // who it is, only a sign-in tells
      return false
    },
  )
  if (admin) {
    admitted = { at, token: token.get() }
    return
  }
  await signOut()
  throw redirect(loginAsNoAdmin)
}

export const clientMiddleware = [needAdmin]

export const clientLoader = () => null

export default Outlet
