import { ratingOutOf } from '#store/constants.ts'

/** A rating as it is shown and counted: the call takes any number, nobody sees one below 0 or above 5. */
export const shownRating = (rating: number): number => Math.round(Math.min(Math.max(rating, 0), ratingOutOf) * 10) / 10
