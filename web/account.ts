import { useState, useSyncExternalStore } from 'react'

/** Whom this browser shows as signed in. It decides what is shown, never what is allowed: the server asks the token. */
export type Account = { name: string; email: string; admin: boolean }

const key = 'account'
const listeners = new Set<() => void>()
let read: { text: string | null; account: Account | null } = { text: null, account: null }

export const account = {
  get(): Account | null {
    const text = localStorage.getItem(key)
    if (text !== read.text) read = { text, account: text ? JSON.parse(text) : null }
    return read.account
  },
  keep(signedIn: Account): void {
    localStorage.setItem(key, JSON.stringify(signedIn))
    tell()
  },
  forget(): void {
    localStorage.removeItem(key)
    tell()
  },
}

/** The account shown as signed in; null for a visitor, on the server and until the page is hydrated. */
export function useAccount(): Account | null {
  return useSyncExternalStore(subscribe, account.get, () => null)
}

/** Whose open form this is: who is signed in, and after a sign-out in another tab who was, so that what is typed stays theirs. */
export function useFormAccount(): Account | null {
  const account = useAccount()
  const [last, setLast] = useState(account)
  if (account && account !== last) setLast(account)
  return account ?? last
}

/**
 * Corrects a kept page before its first paint: pages are rendered once for everybody and say 'No user logged in'.
 * Sets `data-account` on the root element (visitor, customer or admin: the styles show and hide by it) and the badge's words.
 * Runs as an inline script at the end of the navigation bar, so it must stand alone.
 */
export function correctNavigation(): void {
  let signedIn: Account | null = null
  try {
    signedIn = localStorage.getItem('accessToken') ? JSON.parse(localStorage.getItem('account') ?? 'null') : null
  } catch {}
  document.documentElement.dataset.account = signedIn ? (signedIn.admin ? 'admin' : 'customer') : 'visitor'
  const badge = document.querySelector('[data-badge]')
  if (badge && signedIn) badge.textContent = signedIn.name || signedIn.email
}

function tell() {
  correctNavigation()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', tell)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', tell)
  }
}
