import { Link, type To } from 'react-router'

type Step = { words: string; to?: To }

/** Where a page stands, from the whole down to it. The last step, without an address, is the page itself. */
export function Trail({ steps, className = '' }: { steps: Step[]; className?: string }) {
  return (
    <nav aria-label="Where you are" className={`text-sm text-soft print:hidden ${className}`}>
      <ol className="flex flex-wrap items-center gap-x-2">
        {steps.map(({ words, to }, place) => (
          <li key={words} className="flex items-center gap-x-2">
            {place > 0 && <span aria-hidden="true">/</span>}
            {to === undefined ? (
              <span aria-current="page">{words}</span>
            ) : (
              <Link
                to={to}
                prefetch="intent"
                className="inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink pointer-fine:min-h-6"
              >
                {words}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
