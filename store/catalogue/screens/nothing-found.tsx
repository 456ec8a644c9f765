import { inFigures } from '#store/in-figures.ts'
import { ButtonLink } from '#web/button.tsx'
import { Panel } from '#web/panel.tsx'
import { Scene } from '#web/scene.tsx'
import { TextLink } from '#web/text-link.tsx'
import { addressWith } from './browsing.ts'
import type { Loosening } from './found.ts'

type NothingFoundProps = {
  search: URLSearchParams
  loosenings: Loosening[]
  /** the same address without its filters */
  clear: string
  filtered: boolean
}

/** Says what to take away and how much there is then. Never an end of the way. */
export function NothingFound({ search, loosenings, clear, filtered }: NothingFoundProps) {
  const q = search.get('q')?.trim()
  return (
    <Panel as="section" aria-labelledby="nothing-found" className="flex flex-col items-start gap-4 sm:p-8">
      <Scene name="nothing-found" className="h-auto w-40 sm:w-52" />
      <h2 id="nothing-found" className="text-xl">
        0 results{q && ` for "${q}"`}
        {filtered && ' with these filters'}
      </h2>
      {loosenings.length > 0 && (
        <div>
          <p>There are products if you take something away:</p>
          <ul className="mt-1">
            {loosenings.map(({ words, names, total }) => (
              <li key={names.join()} className="flex flex-wrap gap-x-2">
                <TextLink
                  to={addressWith(search, Object.fromEntries(names.map((name) => [name, undefined])))}
                  className="inline-flex min-h-8 items-center"
                >
                  without {words}
                </TextLink>
                <span className="self-center text-soft">
                  {inFigures(total)} {total === 1 ? 'product' : 'products'}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {q && (
        <ul className="list-disc pl-5 text-soft">
          <li>Fewer words find more: every word has to fit.</li>
          <li>The beginning of a part number is enough, with or without its dashes.</li>
          <li>A word for the kind of part helps more than a sentence: "memory", "ddr5", "650 W".</li>
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {filtered && (
          <ButtonLink look="quiet" to={clear}>
            Clear all filters
          </ButtonLink>
        )}
        <ButtonLink look="quiet" to="/allproducts">
          All tools and categories
        </ButtonLink>
      </div>
    </Panel>
  )
}
