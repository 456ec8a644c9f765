import { formatNumber } from '#shared/format-number.ts'
import type { CategorySummary } from '#store/search/contract.ts'
import { Link } from '#web/link.tsx'
import { categoryUrl } from './header.tsx'

/** The first are drawn; three rows in a wide window. */
const drawnCount = 12

/** Links to all categories that have products, with how many they have. */
export function CategoryTiles({ categories }: { categories: CategorySummary[] }) {
  return (
    <nav aria-labelledby="kinds-of-parts" className="flex flex-col gap-4">
      <h2 id="kinds-of-parts" className="text-xl sm:text-2xl">
        What we have on the shelf
      </h2>
      <ul className="grid grid-cols-2 gap-2 md:grid-cols-3 lg:grid-cols-4">
        {categories.slice(0, drawnCount).map((category) => (
          <li key={category.key} className="relative flex items-center gap-3 rounded border border-line bg-panel p-2 hover:border-leaf">
            <img
              src={category.drawing}
              alt=""
              width="240"
              height="160"
              loading="lazy"
              decoding="async"
              className="h-12 w-18 shrink-0 rounded bg-tint object-contain p-1 max-[22rem]:hidden max-sm:h-9 max-sm:w-12"
            />
            <CategoryLink category={category} className="flex-col lg:flex-row lg:items-baseline" />
          </li>
        ))}
      </ul>
      {categories.length > drawnCount && (
        <ul className="row-to-scroll gap-x-6 sm:flex-wrap">
          {categories.slice(drawnCount).map((category) => (
            <li key={category.key} className="relative flex min-h-11 shrink-0 items-center">
              <CategoryLink category={category} className="items-baseline" />
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

function CategoryLink({ category, className }: { category: CategorySummary; className: string }) {
  return (
    <p className={`flex min-w-0 flex-1 justify-between gap-x-2 ${className}`}>
      <Link
        to={categoryUrl(category)}
        prefetch="intent"
        className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
      >
        {category.label}
      </Link>
      <span className="figures shrink-0 text-sm text-soft">{formatNumber(category.count)}</span>
    </p>
  )
}
