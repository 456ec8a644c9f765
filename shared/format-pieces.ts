import { formatNumber } from './format-number.ts'

/** "1 piece", "1,250 pieces". */
export const formatPieces = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'piece' : 'pieces'}`
