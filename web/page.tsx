import type { ReactNode } from 'react'

type PageProps = {
  /** the h1, which takes the focus after a change of page */
  title: ReactNode
  /** above the title: where the page stands */
  trail?: ReactNode
  /** one sentence under the title */
  lead?: ReactNode
  /** as wide as the shop window instead of a readable column */
  wide?: boolean
  /** one short form and nothing else: a narrow column under the shop's mark */
  doorstep?: boolean
  children?: ReactNode
}

/** The main part of a screen, where the skip link leads. */
export function Page({ title, trail, lead, wide = false, doorstep = false, children }: PageProps) {
  const width = wide ? 'max-w-page' : doorstep ? 'max-w-form' : 'max-w-read'
  return (
    <main id="main" tabIndex={-1} className={`mx-auto w-full px-4 py-8 sm:px-6 sm:py-10 ${width}`}>
      {doorstep && <img src="/favicon.svg" alt="" width="48" height="48" className="mb-4" />}
      {trail && <div className="mb-2">{trail}</div>}
      <h1 tabIndex={-1} className="text-2xl sm:text-3xl">
        {title}
      </h1>
      {lead && <p className="mt-2 max-w-read text-soft">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </main>
  )
}
