import { formatNumber } from '#shared/format-number.ts'

/** A number with its noun: "1 row", "2,000 rows". */
export const pluralize = (number: number, one: string, more: string): string => `${formatNumber(number)} ${number === 1 ? one : more}`
