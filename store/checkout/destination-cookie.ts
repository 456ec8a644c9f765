/** Where a visitor has an estimate made for, and how they look at its total. */
export type Destination = { country: string; state: string; postalCode: string; withoutTax: boolean }

const cookieName = 'nucleus.destination'
const maxAgeSeconds = 90 * 24 * 3600

/** What the form of the basket asks for, by the names of its fields. */
export const destinationIn = (query: URLSearchParams): Destination => ({
  country: (query.get('country') ?? '').toUpperCase().slice(0, 2),
  state: (query.get('state') ?? '').slice(0, 50),
  postalCode: (query.get('postalCode') ?? '').slice(0, 20),
  withoutTax: query.get('tax') === 'without',
})

/** What this browser was told last. Only pages that are rendered for one visitor read it, so that cached pages stay the same for everybody. */
export const destinationOf = (cookies: string | null | undefined): Destination =>
  destinationIn(new URLSearchParams(/(?:^|;\s*)nucleus\.destination=([^;]*)/.exec(cookies ?? '')?.[1]))

/** The header by which a browser remembers it. */
export function destinationCookie({ country, state, postalCode, withoutTax }: Destination, { isSecure }: { isSecure: boolean }): string {
  const value = new URLSearchParams({ country, state, postalCode, ...(withoutTax && { tax: 'without' }) })
  return `${cookieName}=${value}; HttpOnly; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** Where an order has just gone to is where the next estimate is for. */
export const destinationAfter = (
  cookies: string | undefined,
  { country, state = '', postalCode = '' }: { country: string; state?: string | undefined; postalCode?: string | undefined },
): Destination => ({ ...destinationOf(cookies), country, state, postalCode })
