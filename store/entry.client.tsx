import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { setStoreCurrency } from '#shared/currency.ts'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { stopPreHydrationRecording } from '#web/pre-hydration-events.ts'

// Hydrates in a separate task: in one task with the evaluation of this script it would delay a slow phone's first tap twice as long.
setTimeout(() =>
  startTransition(() => {
    stopPreHydrationRecording()
    const { currency, timeZone } = document.documentElement.dataset // set by root.tsx
    if (currency) setStoreCurrency(JSON.parse(currency))
    if (timeZone) setStoreTimeZone(timeZone)
    hydrateRoot(
      document,
      <StrictMode>
        {/* A navigation renders the next page synchronously: time-sliced, with repaints of the old page in between, it appears later. */}
        <HydratedRouter useTransitions={false} />
      </StrictMode>,
    )
  }),
)
