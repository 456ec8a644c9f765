import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { Question } from './question.tsx'

/** Asks once before a page with unsaved changes is left. `onLeave` hears that they are given up. */
export function AskBeforeLeaving({ unsaved, onLeave }: { unsaved: boolean; onLeave: () => void }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => unsaved && nextLocation.pathname !== currentLocation.pathname)
  useBeforeUnload(
    useCallback(
      (event) => {
        if (unsaved) event.preventDefault() // the browser then asks in its own words
      },
      [unsaved],
    ),
  )

  return (
    <Question
      open={blocker.state === 'blocked'}
      title="Leave without saving?"
      act="Leave without saving"
      keep="Stay here"
      busyWords="Leaving"
      onAct={async () => {
        onLeave()
        blocker.proceed?.()
      }}
      onKeep={() => blocker.reset?.()}
    >
      <p>What you changed on this page is not saved yet.</p>
    </Question>
  )
}
