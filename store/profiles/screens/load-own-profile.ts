import { type Profile, showProfile } from '#store/profiles/contract.ts'
import { accountStorage } from '#web/account.ts'
import { callApi } from '#web/call-api.ts'

/** The profile of the signed-in account. @throws {Response} 404 when the account is removed */
export async function loadOwnProfile(): Promise<Profile> {
  const [profile] = await callApi(showProfile, { params: { email: accountStorage.get()?.email ?? '' } })
  if (!profile) throw new Response(null, { status: 404 })
  return profile
}
