import type { ProductDetails } from './contract.ts'

/** Years in which a part can have been released: another number would come before or after all parts for good. */
export const releaseYears = { first: 1970, last: 2099 }

/** 0 where it is not known. */
export function releasedYear({ specs: { released_year: year } }: Pick<ProductDetails, 'specs'>): number {
  return typeof year === 'number' && year >= releaseYears.first && year <= releaseYears.last ? year : 0
}
