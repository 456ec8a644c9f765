import { type ComponentType, useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'
export type ToastMessage = { message: string; kind: ToastKind; detail?: string | undefined }

let waiting: ToastMessage[] = []
let shown: ComponentType | undefined
const listeners = new Set<() => void>()

/**
 * Passing news at the top right for 5 seconds. Never the only place of a message: the page says it too.
 * Callable from anywhere in the browser; the first call fetches what shows it.
 */
export function toast(message: string, { kind = 'success', detail }: { kind?: ToastKind; detail?: string } = {}): void {
  waiting = [...waiting, { message, kind, detail }]
  if (shown) tell()
  else fetchShown()
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

async function fetchShown() {
  try {
    shown = (await import('./toasts-shown.tsx')).default
    tell()
  } catch {
    waiting = [] // without a network; the page has said it too, and the next news tries again
  }
}

function tell() {
  for (const listener of listeners) listener()
}

/**
 * Mounted once, in the root, right below the header: there the news stand, so that they never lie over the search and the links of the
 * header, and at the upper edge once that is scrolled away.
 */
export function Toasts() {
  const Shown = useSyncExternalStore(
    onToast,
    () => shown,
    () => undefined,
  )
  return (
    Shown && (
      <div className="sticky top-4 z-50 h-0 print:hidden">
        <Shown />
      </div>
    )
  )
}
