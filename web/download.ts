import { Refusal } from './refusal.ts'
import { unreached } from './send.ts'
import { token } from './token.ts'

/**
 * Fetches a file that only the signed in may have, and hands it to the browser to be saved: a plain link would go without the access token.
 * @param address of the API, e.g. `/export?format=csv`
 * @throws {Refusal} on every answer that is not 2xx, and when the store cannot be reached
 */
export async function download(address: string, fileName: string): Promise<void> {
  const answer = await fetch(`/api${address}`, { headers: token.header() }).catch(unreached)
  if (!answer.ok)
    throw new Refusal(answer.status, await answer.json().catch(() => ({ message: 'Something went wrong on our side. Try again.' })))
  const file = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = file
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(file), 60_000) // it is saved after the click has returned
}
