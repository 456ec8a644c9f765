import type { ReactNode } from 'react'

type PageProps = {
  /** the h1, which takes the focus after a change of page */
  title: ReactNode
  /** one sentence under the title */
  lead?: ReactNode
  /** as wide as the shop window instead of a readable column */
  wide?: boolean
  children?: ReactNode
}

/** The main part of a screen, where the skip link leads. */
export function Page({ title, lead, wide = false, children }: PageProps) {
  return (
    <main id="main" tabIndex={-1} className={`mx-auto w-full px-4 py-8 sm:px-6 sm:py-10 ${wide ? 'max-w-page' : 'max-w-read'}`}>
      <h1 tabIndex={-1} className="text-2xl sm:text-3xl">
        {title}
      </h1>
      {lead && <p className="mt-2 max-w-read text-soft">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </main>
  )
}
