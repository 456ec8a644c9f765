import type { To } from 'react-router'
import { Link } from './link.tsx'

type Breadcrumb = { label: string; to?: To; prefetch?: 'intent' | 'none' }

/**
 * The path to a page, from the top level down. The last step has no `to`: it is the current page. One to a page of one visitor has
 * `prefetch: 'none'`, see `TextLink`.
 */
export function Breadcrumbs({ steps, className = '' }: { steps: Breadcrumb[]; className?: string }) {
  return (
    <nav aria-label="Where you are" className={`text-sm text-soft print:hidden ${className}`}>
      <ol className="flex flex-wrap items-center gap-x-2">
        {steps.map(({ label, to, prefetch = 'intent' }, index) => (
          <li key={label} className="flex items-center gap-x-2">
            {index > 0 && <span aria-hidden="true">/</span>}
            {to === undefined ? (
              <span aria-current="page">{label}</span>
            ) : (
              <Link
                to={to}
                prefetch={prefetch}
                className="inline-flex min-h-11 items-center underline underline-offset-2 hover:text-ink pointer-fine:min-h-6"
              >
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
