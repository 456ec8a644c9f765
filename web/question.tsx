import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { Refusal } from './refusal.ts'
import { toast } from './toast.tsx'

type QuestionProps = {
  open: boolean
  title: string
  /** what it is about, by its name, and what stays as it is */
  children: ReactNode
  /** the button that does it, by name: "Delete Pliers" */
  act: string
  /** the button that does not; the focus starts there */
  keep: string
  /** how the button that does it looks: `grave` where something is lost by it */
  look?: 'grave' | 'action'
  /** what is happening meanwhile, e.g. "Deleting" */
  busyWords: string
  /** does it; a refusal is told in the dialog, which stays open */
  onAct: () => Promise<void>
  /** the dialog wants to close, since it was kept */
  onKeep: () => void
  /** what is said instead of a refusal when the sign-in has ended: how to go on */
  ended?: ReactNode
  /** where the focus goes on when what asked is gone by then; otherwise it goes back */
  focusAfter?: () => HTMLElement | null
}

/** The dialog gives the focus back without scrolling: what answers would stay out of view. */
function inView(next: HTMLElement | null): HTMLElement | null {
  next?.scrollIntoView({ block: 'nearest' })
  return next
}

/** Asks once, before what cannot be taken back. Esc keeps; a press beside the dialog does nothing. */
export function Question({ open, title, children, act, keep, look = 'grave', busyWords, onAct, onKeep, ended, focusAfter }: QuestionProps) {
  const keepButton = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal>()

  async function press() {
    setBusy(true)
    setRefused(undefined)
    try {
      await onAct()
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error' })
      setRefused(refusal)
    } finally {
      setBusy(false)
    }
  }

  function leave() {
    if (busy) return // the answer is still to be told
    setRefused(undefined)
    onKeep()
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(opened) => !opened && leave()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-board/60" />
        <AlertDialog.Viewport className="fixed inset-0 z-40 flex items-center justify-center overflow-auto p-4">
          <AlertDialog.Popup
            initialFocus={keepButton}
            finalFocus={focusAfter && (() => inView(focusAfter()))}
            className="flex w-full max-w-form flex-col gap-4 rounded border border-line bg-panel p-6 text-ink shadow"
          >
            <AlertDialog.Title className="text-xl">{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="flex flex-col gap-2">
              {children}
            </AlertDialog.Description>
            {refused && (refused.status === 401 && ended ? ended : <Notice kind="error" title={refused.message} />)}
            <div className="flex flex-wrap justify-end gap-3">
              <Button ref={keepButton} look="quiet" disabled={busy} onClick={leave}>
                {keep}
              </Button>
              <Button look={look} busy={busy} busyWords={busyWords} onClick={press} className="min-w-0 wrap-anywhere">
                {act}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
