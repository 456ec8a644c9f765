import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { useSubmit } from './use-submit.ts'

type ConfirmDialogProps = {
  open: boolean
  title: string
  /** names the affected item and what does not change */
  children: ReactNode
  /** label of the confirm button, with the name of the item: "Delete Pliers" */
  confirmLabel: string
  /** label of the cancel button, which has the initial focus */
  cancelLabel: string
  /** variant of the confirm button: `grave` for destructive actions */
  variant?: 'grave' | 'action'
  /** label of the confirm button while busy, e.g. "Deleting" */
  busyLabel: string
  /** runs the action; an `ApiError` is displayed in the dialog, which stays open */
  onConfirm: () => Promise<void>
  /** called when the dialog is cancelled */
  onCancel: () => void
  /** displayed instead of the error message when the session has ended */
  signedOutMessage?: ReactNode
  /** receives the focus after closing, where the element that opened the dialog is gone; by default the focus returns to that element */
  focusAfterClose?: () => HTMLElement | null
}

/** The dialog moves the focus without scrolling, so the focused element could be out of view. */
function scrolledIntoView(next: HTMLElement | null): HTMLElement | null {
  next?.scrollIntoView({ block: 'nearest' })
  return next
}

/** Confirms an irreversible action. Esc cancels; a click outside the dialog does nothing. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel,
  variant = 'grave',
  busyLabel,
  onConfirm,
  onCancel,
  signedOutMessage,
  focusAfterClose,
}: ConfirmDialogProps) {
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { submit: confirm, busy, refusal, setRefusal } = useSubmit({ send: onConfirm })

  function cancel() {
    if (busy) return // the response is still to be displayed
    setRefusal(undefined)
    onCancel()
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(opened) => !opened && cancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-board/60" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-center justify-center overflow-auto p-4">
          <AlertDialog.Popup
            initialFocus={cancelButton}
            finalFocus={focusAfterClose && (() => scrolledIntoView(focusAfterClose()))}
            className="flex w-full max-w-form flex-col gap-4 rounded border border-line bg-panel p-6 text-ink shadow"
          >
            <AlertDialog.Title className="text-xl">{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="flex flex-col gap-2">
              {children}
            </AlertDialog.Description>
            {refusal &&
              (refusal.code === 'not_signed_in' && signedOutMessage ? signedOutMessage : <Notice kind="error" title={refusal.message} />)}
            <div className="flex flex-wrap justify-end gap-3">
              <Button ref={cancelButton} variant="quiet" disabled={busy} onClick={cancel}>
                {cancelLabel}
              </Button>
              <Button variant={variant} busy={busy} busyLabel={busyLabel} onClick={() => confirm()} className="min-w-0 wrap-anywhere">
                {confirmLabel}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
