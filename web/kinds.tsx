import { inFigures } from '#store/in-figures.ts'
import { ButtonLink } from './button.tsx'
import type { Listing } from './use-listing.ts'

type KindsProps = {
  listing: Listing
  /** names the choice, e.g. "Orders by payment status" */
  label: string
  /** each kind with how many rows it has; those that have none are left out */
  kinds: { kind: string; count: number }[]
  /** how many rows there are of all kinds; without it there is no way to all of them here */
  all?: number
}

/** Above a long list: all of it, or one kind of its rows, by one press each. A row may be of several kinds. */
export function Kinds({ listing: { view, addressOf }, label, kinds, all }: KindsProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {[...(all === undefined ? [] : [{ kind: '', count: all }]), ...kinds]
        .filter(({ kind, count }) => count > 0 || kind === '' || kind === view.kind)
        .map(({ kind, count }) => (
          <ButtonLink
            key={kind}
            look="quiet"
            dense
            to={{ search: addressOf({ kind }) }}
            preventScrollReset
            defaultShouldRevalidate={false}
            prefetch="none"
            aria-current={view.kind === kind || undefined}
          >
            {kind || 'All'} <span className="figures font-normal">{inFigures(count)}</span>
          </ButtonLink>
        ))}
    </nav>
  )
}
