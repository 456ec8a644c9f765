import { formatNumber } from './format-number.ts'

/** "1 piece", "1,250 pieces". */
export const formatPieces = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'piece' : 'pieces'}`

/** Of pieces that were named before: "1 is left", "1,250 are left". */
export const formatLeft = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'is' : 'are'} left`
