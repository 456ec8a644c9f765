// The figures that the specification fixes (its section 9), each said here and nowhere else.

/** How many tools, from the first on, the home page shows as 'Tools Available on Our Company Now'. */
export const firstTools = 6
/** The part of the catalogue that is 'Hot Products', by index: `to` is not in it. */
export const hotProducts = { from: 10, to: 100 }
/** How many characters of a description Manage Products shows before it is opened. */
export const descriptionCharacters = 30
/** The fewest characters of a phone number, counted as typed. */
export const phoneCharacters = 11
/** The scale of a rating. */
export const ratingOutOf = 5
/** How long a notification stays. */
export const notificationMilliseconds = 5000
/** Where local storage keeps the session token. `correctNavigation` in `web/account.ts` has to say it again, as it travels alone. */
export const accessTokenKey = 'accessToken'
/** The business in figures, as the owner states them. */
export const business = [
  { figure: '102K+', of: 'products sold' },
  { figure: '120+', of: 'export countries' },
  { figure: '151+', of: 'satisfied clients' },
]
/** So many parts are compared side by side at most. */
export const mostCompared = 4
