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

/**
 * Splits a whole amount in proportion to weights, as `splitInProportion` does, where no part may be more than its limit: a part that would be has its
 * limit, and the rest is split among the others anew. The function `split_within` of the database does the same.
 * @param amount at most what the limits make together
 */
export function splitWithin(amount: number, weights: number[], limits: number[]): number[] {
  const isFull = weights.map(() => false)
  for (;;) {
    const rest = limits.reduce((sum, limit, nth) => (isFull[nth] ? sum - limit : sum), amount)
    const parts = splitInProportion(
      rest,
      weights.map((weight, nth) => (isFull[nth] ? 0 : weight)),
    )
    const over = parts.flatMap((part, nth) => (!isFull[nth] && part > (limits[nth] ?? 0) ? [nth] : []))
    if (over.length === 0) return parts.map((part, nth) => (isFull[nth] ? (limits[nth] ?? 0) : part))
    for (const nth of over) isFull[nth] = true
  }
}
