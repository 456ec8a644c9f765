import { formatNumber } from '#shared/format-number.ts'
import type { GoesWith } from '#store/catalogue/product-page-contract.ts'
import { Link } from '#web/link.tsx'
import { Amount, GroupedDigits } from '#web/money.tsx'
import { TextLink } from '#web/text-link.tsx'
import { ProductImage } from './product-image.tsx'

/** What is used with a product, a few of each category, and a link to all of them. */
export function GoesWithProducts({ groups }: { groups: GoesWith[] }) {
  return (
    <section aria-labelledby="goes-with" className="flex flex-col gap-4 print:hidden">
      <h2 id="goes-with" className="text-xl">
        What goes with it
      </h2>
      {groups.map(({ category, fits, total, query, parts }) => (
        <div key={category.value} className="flex flex-col gap-1">
          <h3 className="flex flex-wrap items-baseline gap-x-3 text-base font-semibold">
            {category.label}
            <span className="text-sm font-normal text-soft">{fits.join(', ')}</span>
          </h3>
          <ul>
            {parts.map((part) => (
              <li key={part._id} className="relative flex items-center gap-3 border-b border-line py-2 hover:bg-tint">
                <ProductImage product={part} className="aspect-3/2 w-14 shrink-0 p-1!" />
                <Link
                  to={`/products/${part._id}`}
                  prefetch="intent"
                  className="line-clamp-2 min-w-0 flex-1 underline-offset-2 after:absolute after:inset-0 hover:underline"
                >
                  {part.name}
                </Link>
                <span className="shrink-0 text-right text-sm text-soft">
                  <Amount value={part.price} className="block text-base font-semibold text-ink" />
                  <GroupedDigits number={part.available_quantity} /> in stock
                </span>
              </li>
            ))}
          </ul>
          {total > parts.length && (
            <p className="py-1 text-sm">
              <TextLink to={`/allproducts?${query}`}>All {formatNumber(total)} that fit, in stock</TextLink>
            </p>
          )}
        </div>
      ))}
    </section>
  )
}
