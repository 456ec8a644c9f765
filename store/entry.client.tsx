import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { takeEarlyActs } from '#web/early-acts.ts'

// In a task of its own: together with the running of the script just fetched it would hold a slow phone's first tap for twice as long.
setTimeout(() =>
  startTransition(() => {
    takeEarlyActs()
    hydrateRoot(
      document,
      <StrictMode>
        {/* A press renders the next page in one go: in slices, with the old page painted in between, it is seen later. */}
        <HydratedRouter useTransitions={false} />
      </StrictMode>,
    )
  }),
)
