import { useEffect } from 'react'
import { mostCompared } from '#store/constants.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { compareAddress, untickAll, useTicked, useTickRefused } from './compared.ts'

/** At the lower edge while parts are ticked: what was ticked, why one was refused, and the way to see them side by side. */
export function CompareBar() {
  const ticked = useTicked()
  const refused = useTickRefused()
  const shown = ticked.length > 0
  useEffect(() => {
    if (!shown) return
    // what takes the focus is scrolled clear of the bar
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
      <p role="status" className={refused ? 'mb-2 flex gap-2 text-sm font-medium text-bad' : 'sr-only'}>
        {refused ? (
          <>
            <Icon name="error" />
            {refused}
          </>
        ) : (
          shown && `${ticked.length} of ${mostCompared} parts to compare`
        )}
      </p>
      {shown && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-0 grow basis-60 truncate text-sm text-soft max-sm:hidden">{ticked.map(({ name }) => name).join(' · ')}</p>
          <ButtonLink to={compareAddress(ticked.map(({ id }) => id))} look="quiet" dense>
            {ticked.length === 1 ? 'Compare: tick another part' : `Compare ${ticked.length} parts`}
          </ButtonLink>
          <Button look="quiet" dense onClick={untickAll}>
            Clear<span className="sr-only"> what is to be compared</span>
          </Button>
        </div>
      )}
    </div>
  )
}
