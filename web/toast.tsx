// The toasts are those of Base UI (toast-list.tsx). This file is the queue that lets pages load their script with the first message only.

import { type ComponentType, useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'error' | 'warning' | 'info'
export type ToastMessage = { message: string; kind: ToastKind; detail?: string | undefined }

let pendingToasts: ToastMessage[] = []
let loadedToastList: ComponentType | undefined
const listeners = new Set<() => void>()

/**
 * Displays a toast at the top right for 5 seconds. Never the only place of a message: the page must display it, too.
 * Can be called anywhere in the browser. The first call loads the toast list.
 */
export function toast(message: string, { kind = 'success', detail }: { kind?: ToastKind; detail?: string } = {}): void {
  pendingToasts = [...pendingToasts, { message, kind, detail }]
  if (loadedToastList) notifyListeners()
  else loadToastList()
}

/** Returns the messages not yet displayed, and empties the queue. */
export const takePendingToasts = (): ToastMessage[] => {
  const taken = pendingToasts
  pendingToasts = []
  return taken
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function loadToastList() {
  try {
    loadedToastList = (await import('./toast-list.tsx')).default
    notifyListeners()
  } catch {
    pendingToasts = [] // offline: the page displays the message, too; the next toast retries the import
  }
}

function notifyListeners() {
  for (const listener of listeners) listener()
}

/**
 * Mounted once, in the root, directly below the header, so that toasts never cover the search and the links of the header. They stick to
 * the upper edge once the header is scrolled out of view.
 */
export function Toasts() {
  const ToastList = useSyncExternalStore(
    subscribeToToasts,
    () => loadedToastList,
    () => undefined,
  )
  return (
    ToastList && (
      <div className="sticky top-4 z-50 h-0 print:hidden">
        <ToastList />
      </div>
    )
  )
}
