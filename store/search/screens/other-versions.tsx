import { Link } from '#web/link.tsx'
import type { ShownProduct } from './search-by-url.ts'

const maxLinks = 5

/** The same product in other colours or sizes, each a link to its own page. */
export function OtherVersions({ product: { _id, versions } }: { product: ShownProduct }) {
  if (versions.length === 0) return null
  const left = versions.length - maxLinks
  const links = [...versions.slice(0, maxLinks), ...(left > 0 ? [{ _id, label: `${left} more`, in_stock: true }] : [])]
  return (
    <p className="text-sm font-normal text-soft">
      Also{' '}
      {links.map((version, nth) => (
        <span key={version.label + version._id}>
          {nth > 0 && ', '}
          <Link to={`/products/${version._id}`} className="underline underline-offset-2 hover:text-leaf">
            {version.label}
          </Link>
          {!version.in_stock && ' (out of stock)'}
        </span>
      ))}
    </p>
  )
}
