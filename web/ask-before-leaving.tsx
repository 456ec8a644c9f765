import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { Button } from './button.tsx'

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

  if (blocker.state !== 'blocked') return null
  return (
    <dialog
      ref={openModal}
      onCancel={() => blocker.reset()}
      aria-labelledby="leaving"
      className="m-auto max-w-form rounded border border-line bg-panel p-6 text-ink shadow backdrop:bg-board/60"
    >
      <h2 id="leaving" className="text-lg">
        Leave without saving?
      </h2>
      <p className="mt-2 text-soft">What you changed on this page is not saved yet.</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button onClick={() => blocker.reset()} autoFocus>
          Stay here
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            onLeave()
            blocker.proceed()
          }}
        >
          Leave without saving
        </Button>
      </div>
    </dialog>
  )
}

/** A modal keeps focus and Esc to itself and gives the focus back: only the method makes it one, no attribute does. */
const openModal = (dialog: HTMLDialogElement | null) => {
  if (dialog && !dialog.open) dialog.showModal()
}
