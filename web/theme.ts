import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const listeners = new Set<() => void>()

/** Sets the stored theme on the root element before the first paint. An inline script in the head, so it must not reference outer scope. */
export function applyTheme(): void {
  let stored: string | null = null
  try {
    stored = localStorage.getItem('theme')
  } catch {}
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored
  else delete document.documentElement.dataset.theme
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem('theme')
  else localStorage.setItem('theme', theme)
  const change = () => {
    applyTheme()
    for (const listener of listeners) listener()
  }
  if ('startViewTransition' in document) document.startViewTransition(change)
  else change()
}

/** The stored theme; 'system' on the server and until the page is hydrated. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'system')
}

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
