import { accessTokenStorage } from './access-token.ts'
import { ApiError } from './api-error.ts'
import { throwNetworkError } from './call-api.ts'

/**
 * Downloads a file that requires sign-in. A plain link would send no access token.
 * @param path in the API, e.g. `/export?format=csv`
 * @param headers how the visitor proves who they are, where that is not the account's token
 * @returns the headers of the response
 * @throws {ApiError} on every response that is not 2xx, and when the server cannot be reached
 */
export async function downloadFile(
  path: string,
  fileName: string,
  headers: Record<string, string> = accessTokenStorage.authorizationHeader(),
): Promise<Headers> {
  const response = await fetch(`/api${path}`, { headers }).catch(throwNetworkError)
  if (!response.ok)
    throw new ApiError(response.status, await response.json().catch(() => ({ message: 'Something went wrong on our side. Try again.' })))
  const file = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = file
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(file), 60_000) // the browser reads the blob after `click()` has returned
  return response.headers
}
