/** @param dollars an amount on the wire, with at most two decimals: 12.35 is 1235 */
export const dollarsToCents = (dollars: number): number => Math.round(dollars * 100)
