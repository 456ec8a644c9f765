import { type ComponentType, useState } from 'react'

const kept = 'shortcuts'
const listeners = new Set<() => void>()

/** Whether keys without Ctrl act on the whole page. Who steers by voice turns them off: what is dictated would press them (WCAG 2.1.4). */
export function shortcutsOn(): boolean {
  return localStorage.getItem(kept) !== 'off'
}

export function turnShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(kept)
  else localStorage.setItem(kept, 'off')
  for (const listener of listeners) listener()
}

export function onShortcuts(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Says which keys the store listens to. What says it is fetched at the first press. */
export function ShortcutsButton({ className = '' }: { className?: string }) {
  const [fetched, keep] = useState<{ default: ComponentType }>()
  const Shown = fetched?.default

  async function open() {
    keep(await import('./shortcuts-shown.tsx').catch(() => undefined)) // without a network there is nothing to say
    document.getElementById('shortcuts')?.showPopover()
  }

  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={open} className={className}>
        Keyboard shortcuts
      </button>
      {Shown && <Shown />}
    </>
  )
}
