/** The login page, which returns to this URL after the sign-in. */
export const loginUrlReturningTo = (url: string): string => {
  const { pathname, search } = new URL(url)
  return `/login?${new URLSearchParams({ from: pathname + search })}`
}

/** The login page after an admin screen rejected the user. It does not return there, where the user would be signed out again. */
export const adminRequiredLoginUrl = '/login?refused=no-admin'

export const isAdminRequiredLogin = (search: URLSearchParams): boolean => search.get('refused') === 'no-admin'

/** Where to go after a sign-in: back to the page that required it, if `from` is a path of this site (no open redirect), else /home. */
export function safeReturnUrl(from: string | null): string {
  const here = 'https://store.invalid'
  if (!from?.startsWith('/') || !URL.canParse(from, here)) return '/home'
  const { origin, pathname, search } = new URL(from, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/home'
}
