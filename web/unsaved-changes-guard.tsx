import { useCallback } from 'react'
import { useBeforeUnload, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks for confirmation before leaving a page with unsaved changes. `onDiscard` is called when the user leaves anyway. */
export function UnsavedChangesGuard({ hasUnsavedChanges, onDiscard }: { hasUnsavedChanges: boolean; onDiscard: () => void }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => hasUnsavedChanges && nextLocation.pathname !== currentLocation.pathname)
  useBeforeUnload(
    useCallback(
      (event) => {
        if (hasUnsavedChanges) event.preventDefault() // the browser displays its own confirmation
      },
      [hasUnsavedChanges],
    ),
  )

  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Leave without saving?"
      confirmLabel="Leave without saving"
      cancelLabel="Stay here"
      busyLabel="Leaving"
      onConfirm={async () => {
        onDiscard()
        blocker.proceed?.()
      }}
      onCancel={() => blocker.reset?.()}
    >
      <p>What you changed on this page is not saved yet.</p>
    </ConfirmDialog>
  )
}
