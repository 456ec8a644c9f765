import { formatNumber } from '#shared/format-number.ts'
import type { CategorySummary } from '#store/search/contract.ts'
import { Link } from '#web/link.tsx'
import { Panel } from '#web/panel.tsx'
import { categoryUrl } from './header.tsx'

/** On a phone the other tiles have no image: twelve images would fill more than one screen before the first product. */
const imagesOnPhones = 6

/** Illustrated links to the categories with the most products. */
export function CategoryTiles({ categories }: { categories: CategorySummary[] }) {
  return (
    <nav aria-labelledby="kinds-of-parts" className="flex flex-col gap-6">
      <h2 id="kinds-of-parts" className="text-xl sm:text-2xl">
        What we have on the shelf
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
        {categories.map((category, index) => (
          <Panel as="li" key={category.key} padding="none" className="relative flex flex-col hover:border-leaf">
            <img
              src={category.drawing}
              alt=""
              width="240"
              height="160"
              loading="lazy"
              decoding="async"
              className={`aspect-3/2 h-auto w-full rounded-t bg-tint object-contain p-2 ${index < imagesOnPhones ? '' : 'max-sm:hidden'}`}
            />
            <p className="flex min-h-11 flex-1 items-baseline justify-between gap-x-2 px-3 py-2">
              <Link
                to={categoryUrl(category)}
                prefetch="intent"
                className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {category.label}
              </Link>
              <span className="figures shrink-0 text-sm text-soft">{formatNumber(category.count)}</span>
            </p>
          </Panel>
        ))}
      </ul>
    </nav>
  )
}
