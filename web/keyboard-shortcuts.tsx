import { type ComponentType, useState } from 'react'

const storageKey = 'shortcuts'
const listeners = new Set<() => void>()

/** Whether page-wide single-key shortcuts are enabled. Users of speech input disable them, since dictation triggers them (WCAG 2.1.4). */
export function areShortcutsEnabled(): boolean {
  return localStorage.getItem(storageKey) !== 'off'
}

export function setShortcutsEnabled(on: boolean): void {
  if (on) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
  for (const listener of listeners) listener()
}

export function subscribeToShortcutSetting(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Opens the list of keyboard shortcuts. The dialog is loaded on the first click. */
export function ShortcutsButton({ className = '' }: { className?: string }) {
  const [dialogModule, setDialogModule] = useState<{ default: ComponentType }>()
  const Dialog = dialogModule?.default

  async function open() {
    setDialogModule(await import('./keyboard-shortcuts-dialog.tsx').catch(() => undefined)) // offline: nothing opens
    document.getElementById('shortcuts')?.showPopover()
  }

  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={open} className={className}>
        Keyboard shortcuts
      </button>
      {Dialog && <Dialog />}
    </>
  )
}
