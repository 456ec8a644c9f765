import { useEffect } from 'react'
import { Button, ButtonLink } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { clearCompared, compareUrl, useComparedProducts, useCompareError } from './compared-products.ts'

/** Bar at the bottom of the page while products are selected for comparison: their names, an error, and the link to the comparison. */
export function CompareBar() {
  const compared = useComparedProducts()
  const error = useCompareError()
  const shown = compared.length > 0
  useEffect(() => {
    if (!shown) return
    // keeps focused elements from being scrolled behind the bar
    document.documentElement.style.scrollPaddingBottom = '9rem'
    return () => void document.documentElement.style.removeProperty('scroll-padding-bottom')
  }, [shown])

  return (
    <div
      className={
        shown
          ? 'sticky bottom-0 z-30 -mx-4 border-t border-edge bg-panel px-4 py-3 shadow sm:-mx-6 sm:px-6 lg:mx-0 lg:rounded-t lg:border-x lg:px-4'
          : undefined
      }
    >
      <p role="status" className={error ? 'mb-2 flex gap-2 text-sm font-medium text-bad' : 'sr-only'}>
        {error && (
          <>
            <Icon name="error" />
            {error}
          </>
        )}
      </p>
      {shown && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 grow basis-60 truncate text-sm text-soft max-sm:hidden">{compared.map(({ name }) => name).join(' · ')}</p>
          <ButtonLink to={compareUrl(compared.map(({ id }) => id))} variant="quiet" dense>
            {compared.length === 1 ? 'Compare: tick another part' : `Compare ${compared.length} parts`}
          </ButtonLink>
          <Button variant="quiet" dense onClick={clearCompared}>
            Clear<span className="sr-only"> what is to be compared</span>
          </Button>
        </div>
      )}
    </div>
  )
}
