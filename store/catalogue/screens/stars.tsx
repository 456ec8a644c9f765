import { maxRating } from '#store/constants.ts'

/**
 * Gold stars with an ink outline, since gold has too little contrast on the background. The number carries the meaning.
 * @param rating from 0 to 5
 */
export function Stars({ rating }: { rating: number }) {
  return (
    <p className="flex items-center gap-2 text-sm text-soft">
      <svg
        viewBox={`0 0 ${24 * maxRating} 24`}
        className="h-4 text-ink"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        {Array.from({ length: maxRating }, (_, place) => {
          const full = Math.min(Math.max(rating - place, 0), 1)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: stars never change their order
            <g key={place} transform={`translate(${24 * place} 0)`}>
              {full > 0 && <path d={starPath} className="fill-gold" stroke="none" clipPath={`inset(0 ${100 - 100 * full}% 0 0)`} />}
              <path d={starPath} />
            </g>
          )
        })}
      </svg>
      <span>
        <span className="tabular-nums">{rating}</span> out of {maxRating}
      </span>
    </p>
  )
}

const starPath = 'm12 3.2 2.7 5.6 6.1.8-4.5 4.3 1.1 6.1-5.4-3-5.4 3 1.1-6.1-4.5-4.3 6.1-.8z'
