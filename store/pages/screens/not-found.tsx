import { data } from 'react-router'
import { cacheUntilChanged } from '#store/topics.ts'
import { ButtonLink } from '#web/button.tsx'

export const loader = () => data(null, { status: 404 })

export const headers = () => cacheUntilChanged('listings')

export const meta = () => [{ title: 'Page not found | Nucleus of PC' }]

export default function UnknownPath() {
  return <NotFound />
}

/** Also displayed on a known path whose data do not exist, e.g. a product removed from the catalogue. */
export function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-read flex-col items-center gap-4 px-4 py-10 text-center">
      <img
        src="/drawings/not-found.svg"
        alt="A circuit board with a trace that leads nowhere"
        width="360"
        height="240"
        className="h-auto w-full max-w-md"
      />
      <h1 tabIndex={-1} className="text-2xl sm:text-3xl">
        Page not found
      </h1>
      <p className="text-soft">Nothing is at this address. A product that was here may have left the catalogue.</p>
      <ButtonLink to="/allproducts" className="mt-2">
        All Tools Have on Stock
      </ButtonLink>
    </main>
  )
}
