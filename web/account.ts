import { useState, useSyncExternalStore } from 'react'

/** The account this browser displays as signed in. It only controls what is displayed: the server authorizes by the access token. */
export type Account = { name: string; email: string; admin: boolean }

const key = 'account'
const listeners = new Set<() => void>()
let cachedAccount: { text: string | null; account: Account | null } = { text: null, account: null }

export const accountStorage = {
  get(): Account | null {
    const text = localStorage.getItem(key)
    if (text !== cachedAccount.text) cachedAccount = { text, account: text ? JSON.parse(text) : null }
    return cachedAccount.account
  },
  save(signedIn: Account): void {
    localStorage.setItem(key, JSON.stringify(signedIn))
    notifyListeners()
  },
  clear(): void {
    localStorage.removeItem(key)
    notifyListeners()
  },
}

/** The account displayed as signed in. Null for a visitor, on the server and until the page is hydrated. */
export function useAccount(): Account | null {
  return useSyncExternalStore(subscribe, accountStorage.get, () => null)
}

/** The account that owns an open form. After a sign-out in another tab it is still the last account, so that the draft stays theirs. */
export function useAccountAtOpening(): Account | null {
  const account = useAccount()
  const [last, setLast] = useState(account)
  if (account && account !== last) setLast(account)
  return account ?? last
}

/**
 * Corrects a cached page before its first paint: cached pages are the same for all visitors, contain 'No user logged in' and no number of lines
 * in the basket. Sets `data-account` on the root element (visitor, customer or admin; the styles show and hide by it), the badge's text, and
 * how many lines the basket has, which the store says in a cookie.
 * Runs as an inline script at the end of the navigation bar, so it must not reference anything outside itself.
 */
export function applyVisitorToNavigation(): void {
  let signedIn: Account | null = null
  try {
    signedIn = localStorage.getItem('accessToken') ? JSON.parse(localStorage.getItem('account') ?? 'null') : null
  } catch {}
  document.documentElement.dataset.account = signedIn ? (signedIn.admin ? 'admin' : 'customer') : 'visitor'
  const badge = document.querySelector('[data-badge]')
  if (badge && signedIn) badge.textContent = signedIn.name || signedIn.email
  const lines = /nucleus\.cart-lines=([1-9]\d*)/.exec(document.cookie)?.[1] ?? ''
  for (const count of document.querySelectorAll('[data-cart-lines]')) count.textContent = lines
}

function notifyListeners() {
  applyVisitorToNavigation()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', notifyListeners)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', notifyListeners)
  }
}
