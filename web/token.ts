import { accessTokenKey as key } from '#store/constants.ts'

/** The access token of this browser, kept in local storage under the key that the specification names. */
export const token = {
  get: (): string | null => localStorage.getItem(key),
  keep: (value: string): void => localStorage.setItem(key, value),
  forget: (): void => localStorage.removeItem(key),
  header: (): Record<string, string> => {
    const value = token.get()
    return value ? { authorization: `Bearer ${value}` } : {}
  },
}
