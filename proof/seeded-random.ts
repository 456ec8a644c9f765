/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): { below(most: number): number; coin(): boolean } {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { below: (most) => Math.floor(next() * most), coin: () => next() < 0.5 }
}
