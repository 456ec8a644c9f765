/**
 * Splits a whole amount in proportion to weights, by largest remainder; of equal remainders the first has the rest. The parts add up to the
 * amount. With weights that are all 0 nothing can be split: the parts are 0.
 * @param amount not negative @param weights whole numbers, none negative
 */
export function splitInProportion(amount: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (total === 0n) return weights.map(() => 0)
  const shares = weights.map((weight) => {
    const product = BigInt(amount) * BigInt(weight)
    return { part: Number(product / total), remainder: product % total }
  })
  let rest = amount - shares.reduce((sum, { part }) => sum + part, 0)
  const byRemainder = shares.toSorted((a, b) => (a.remainder > b.remainder ? -1 : a.remainder < b.remainder ? 1 : 0)) // equal ones stay in order
  for (const share of byRemainder) {
    if (rest === 0) break
    share.part++
    rest--
  }
  return shares.map(({ part }) => part)
}
