import { Outlet, redirect } from 'react-router'
import { checkAdmin } from '#store/identity/contract.ts'
import { accessTokenStorage } from '#web/access-token.ts'
import { accountStorage } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { callApi } from '#web/call-api.ts'
import { isOpenInAnotherTab } from '#web/open-tabs.ts'
import type { Route } from './+types/admin-only'
import { adminRequiredLoginUrl, loginUrlReturningTo } from './return-url.ts'
import { clearSession, signOut } from './session.ts'

/**
 * The path and token of the last successful check: searching or paging on the same screen needs no second check. Revoking the role also
 * deletes the account's sessions, so the token would no longer work.
 */
let lastAdmitted: { pathname: string; token: string | null } | undefined

/**
 * Signs out a user who is not an admin and leads to the login. While another tab shows signed-in pages, in which something may be half typed,
 * the session stays, and the login asks what to do. On any other failure nobody is signed out, and the error screen offers to try again.
 */
const requireAdmin: Route.ClientMiddlewareFunction = async ({ request }) => {
  const signedIn = accountStorage.get()
  if (!signedIn) throw redirect(loginUrlReturningTo(request.url))
  const { pathname } = new URL(request.url)
  if (lastAdmitted?.pathname === pathname && lastAdmitted.token === accessTokenStorage.get()) return
  const admin = await callApi(checkAdmin, { params: { email: signedIn.email } }).then(
    (response) => response.admin,
    (error) => {
      if (!(error instanceof ApiError) || (error.code !== 'not_signed_in' && error.code !== 'forbidden')) throw error
      clearSession()
      if (error.code === 'not_signed_in') throw redirect(loginUrlReturningTo(request.url)) // the session has ended: sign in to check the role
      return false
    },
  )
  if (admin) {
    lastAdmitted = { pathname, token: accessTokenStorage.get() }
    return
  }
  if (!(await isOpenInAnotherTab())) await signOut()
  throw redirect(adminRequiredLoginUrl)
}

export const clientMiddleware = [requireAdmin]

export const clientLoader = () => null

export default Outlet
