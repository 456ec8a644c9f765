import { type Profile, showProfile } from '#store/profiles/contract.ts'
import { account } from '#web/account.ts'
import { send } from '#web/send.ts'

/** The profile of whoever is signed in here. @throws {Response} 404 when the account is gone */
export async function ownProfile(): Promise<Profile> {
  const [profile] = await send(showProfile, { params: { email: account.get()?.email ?? '' } })
  if (!profile) throw new Response(null, { status: 404 })
  return profile
}
