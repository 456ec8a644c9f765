import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

/** Puts the kept choice on the root element before the first paint. Runs as an inline script in the head, so it must stand alone. */
export function applyTheme(): void {
  let kept: string | null = null
  try {
    kept = localStorage.getItem('theme')
  } catch {}
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
  else delete document.documentElement.dataset.theme
}

export function keepTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem('theme')
  else localStorage.setItem('theme', theme)
  const change = () => {
    applyTheme()
    for (const listener of listeners) listener()
  }
  if ('startViewTransition' in document) document.startViewTransition(change)
  else change()
}

/** The kept choice; 'system' on the server and until the page is hydrated. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, current, () => 'system')
}

function current(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
