import { maxRating } from '#store/constants.ts'

/** The rating as displayed and averaged: clamped to 0 to 5, since the API accepts any number, and rounded to one decimal. */
export const roundRating = (rating: number): number => Math.round(Math.min(Math.max(rating, 0), maxRating) * 10) / 10
