import type { ReactNode } from 'react'

type PageProps = {
  /** the h1, which is focused after a navigation */
  title: ReactNode
  /** displayed above the title */
  breadcrumbs?: ReactNode
  /** one sentence under the title */
  lead?: ReactNode
  /** maximum page width instead of a readable column */
  wide?: boolean
  /** for pages with only a short form: a narrow column below the shop's logo */
  narrow?: boolean
  children?: ReactNode
}

/** The main content of a page, target of the skip link. */
export function Page({ title, breadcrumbs, lead, wide = false, narrow = false, children }: PageProps) {
  const width = wide ? 'max-w-page' : narrow ? 'max-w-form' : 'max-w-read'
  return (
    <main id="main" tabIndex={-1} className={`mx-auto w-full px-4 py-8 sm:px-6 sm:py-10 ${width}`}>
      {narrow && <img src="/favicon.svg" alt="" width="48" height="48" className="mb-4" />}
      {breadcrumbs && <div className="mb-2">{breadcrumbs}</div>}
      <h1 tabIndex={-1} className="text-2xl sm:text-3xl">
        {title}
      </h1>
      {lead && <p className="mt-2 max-w-read text-soft">{lead}</p>}
      <div className="mt-6 flex flex-col gap-6">{children}</div>
    </main>
  )
}
