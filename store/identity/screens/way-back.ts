/** The login page, knowing where to return to. */
export const loginFrom = (url: string): string => {
  const { pathname, search } = new URL(url)
  return `/login?${new URLSearchParams({ from: pathname + search })}`
}

/** The login page for whoever an admin screen refused: it says so, and does not lead back there, where they would be signed out again. */
export const loginAsNoAdmin = '/login?refused=no-admin'

export const refusedAsNoAdmin = (search: URLSearchParams): boolean => search.get('refused') === 'no-admin'

/** Where to go after a sign-in: back to the page that asked for it, if that is one of ours, else /home. */
export function wayBack(from: string | null): string {
  const here = 'https://store.invalid'
  if (!from?.startsWith('/') || !URL.canParse(from, here)) return '/home'
  const { origin, pathname, search } = new URL(from, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/home'
}
