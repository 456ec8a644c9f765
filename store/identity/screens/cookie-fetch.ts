import { type ApiFetch, throwNetworkError } from '#web/call-api.ts'

/** Sends cookies and no access token: the stored one may belong to the user who was signed in before. */
export const cookieFetch: ApiFetch = (path, request) => fetch(path, request).catch(throwNetworkError)
