/** Repeated in `applyVisitorToNavigation` in `web/account.ts`, which is sent as an inline script. */
const key = 'accessToken'

/** The access token of this browser, stored in local storage under the key that the specification requires. */
export const accessTokenStorage = {
  get: (): string | null => localStorage.getItem(key),
  set: (value: string): void => localStorage.setItem(key, value),
  clear: (): void => localStorage.removeItem(key),
  authorizationHeader: (): Record<string, string> => {
    const value = accessTokenStorage.get()
    return value ? { authorization: `Bearer ${value}` } : {}
  },
}
