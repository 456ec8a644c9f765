import { lazy, Suspense, useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'
export type ToastMessage = { message: string; kind: ToastKind; detail?: string | undefined }

let waiting: ToastMessage[] = []
let wanted = false
const listeners = new Set<() => void>()

/**
 * Passing news at the top right for 5 seconds. Never the only place of a message: the page says it too.
 * Callable from anywhere in the browser; the first call fetches what shows it.
 */
export function toast(message: string, { kind = 'success', detail }: { kind?: ToastKind; detail?: string } = {}): void {
  waiting = [...waiting, { message, kind, detail }]
  wanted = true
  for (const listener of listeners) listener()
}

/** The messages that nobody has taken over yet. */
export const takeWaiting = (): ToastMessage[] => {
  const taken = waiting
  waiting = []
  return taken
}

export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const Shown = lazy(() => import('./toasts-shown.tsx'))

/** Mounted once, in the root. */
export function Toasts() {
  const show = useSyncExternalStore(
    onToast,
    () => wanted,
    () => false,
  )
  return (
    show && (
      <Suspense>
        <Shown />
      </Suspense>
    )
  )
}
