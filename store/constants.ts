// Constants fixed by the specification (section 9), each defined only here.

/** Number of products, from the first on, that the home page displays as 'Tools Available on Our Company Now'. */
export const homePageProductCount = 6
/** The index range of the catalogue displayed as 'Hot Products'; `to` is exclusive. */
export const hotProductsRange = { from: 10, to: 100 }
/** Number of characters of a description that Manage Products displays while it is collapsed. */
export const collapsedDescriptionCharacters = 30
/** Minimum length of a phone number as typed. */
export const minPhoneCharacters = 11
/** The highest rating. */
export const maxRating = 5
/** Business figures as stated by the owner. */
export const businessFigures = [
  { value: '102K+', label: 'products sold' },
  { value: '120+', label: 'export countries' },
  { value: '151+', label: 'satisfied clients' },
]
/** Maximum number of products compared side by side. */
export const maxComparedProducts = 4

/** The prices about as high as this one: at least two thirds of it, at most half more. */
export function similarPriceRange(price: number): { from: number; to: number } {
  const steps = price < 10 ? 100 : 1 // rounded to whole units, small prices to cents
  return { from: Math.ceil((price * steps * 2) / 3) / steps, to: Math.floor((price * steps * 3) / 2) / steps }
}
