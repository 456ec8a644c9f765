import { amountToCents, formatCents } from '#shared/money.ts'
import type { FamilyMember } from '#store/catalogue/product-page-contract.ts'
import { Link } from '#web/link.tsx'

type FamilyChoicesProps = { family: FamilyMember[]; shownId: string }

/** The other colours or sizes of a product, each a link to its own page. */
export function FamilyChoices({ family, shownId }: FamilyChoicesProps) {
  return (
    <nav aria-labelledby="family" className="flex flex-col gap-2 print:hidden">
      <h2 id="family" className="text-base font-semibold">
        {family.length} versions
      </h2>
      <ul className="flex flex-wrap gap-2 text-sm">
        {family.map((member) => (
          <li key={member._id}>
            <Link
              to={`/products/${member._id}`}
              prefetch="intent"
              preventScrollReset
              aria-current={member._id === shownId ? 'page' : undefined}
              className="flex min-h-11 flex-col justify-center rounded border border-edge bg-panel px-3 py-1 hover:border-ink hover:bg-tint aria-[current]:border-2 aria-[current]:border-leaf"
            >
              <span>{member.label}</span>
              <span className="figures text-soft">{member.in_stock ? formatCents(amountToCents(member.price)) : 'out of stock'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
