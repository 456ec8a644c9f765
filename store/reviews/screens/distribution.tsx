type DistributionProps = {
  /** how many gave one star, two stars and so on */
  given: number[]
  /** of which only those are shown now */
  chosen: number | undefined
  onChoose: (stars: number | undefined) => void
}

export const starsInWords = (stars: number): string => (stars === 1 ? '1 star' : `${stars} stars`)

/** A bar for each star with how many gave it, and a press shows those alone: a low rating is found as easily as a high one. */
export function Distribution({ given, chosen, onChoose }: DistributionProps) {
  const all = given.reduce((sum, count) => sum + count, 0)
  const rows = given.map((count, place) => ({ stars: place + 1, count })).reverse()
  return (
    <ul className="grid w-full max-w-96 text-sm text-soft">
      {rows.map(({ stars, count }) => (
        <li key={stars}>
          <button
            type="button"
            aria-pressed={chosen === stars}
            disabled={count === 0}
            onClick={() => onChoose(chosen === stars ? undefined : stars)}
            className="grid min-h-11 w-full grid-cols-[4rem_1fr_2rem] items-center gap-2 rounded px-2 text-left tabular-nums enabled:hover:bg-tint aria-pressed:bg-tint aria-pressed:font-semibold aria-pressed:text-ink pointer-fine:min-h-7"
          >
            <span>{starsInWords(stars)}</span>
            <span aria-hidden="true" className="h-2 rounded bg-line">
              <span className="block h-2 rounded bg-leaf" style={{ width: `${(100 * count) / all}%` }} />
            </span>
            <span className="text-right">{count}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
