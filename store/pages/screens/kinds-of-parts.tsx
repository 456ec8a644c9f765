import { Link } from 'react-router'
import type { ShownCategory } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { Panel } from '#web/panel.tsx'
import { categoryAddress } from './header.tsx'

/** On a phone the others are words alone: drawn, twelve would be more than a screen before the first product. */
const drawnOnPhones = 6

/** The range at a glance: those kinds of which the shop has the most, drawn. */
export function KindsOfParts({ categories }: { categories: ShownCategory[] }) {
  return (
    <nav aria-labelledby="kinds-of-parts" className="flex flex-col gap-6">
      <h2 id="kinds-of-parts" className="text-xl sm:text-2xl">
        What we have on the shelf
      </h2>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-6">
        {categories.map((category, place) => (
          <Panel as="li" key={category.key} room="none" className="relative flex flex-col hover:border-leaf">
            <img
              src={category.drawing}
              alt=""
              width="240"
              height="160"
              loading="lazy"
              decoding="async"
              className={`aspect-3/2 h-auto w-full rounded-t bg-tint object-contain p-2 ${place < drawnOnPhones ? '' : 'max-sm:hidden'}`}
            />
            <p className="flex min-h-11 flex-1 items-baseline justify-between gap-x-2 px-3 py-2">
              <Link
                to={categoryAddress(category)}
                prefetch="intent"
                className="font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {category.label}
              </Link>
              <span className="figures shrink-0 text-sm text-soft">{inFigures(category.count)}</span>
            </p>
          </Panel>
        ))}
      </ul>
    </nav>
  )
}
