import { useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { correctNavigation, useAccount } from '#web/account.ts'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'

const item =
  'flex min-h-11 items-center border-b-2 border-transparent px-2 font-medium text-silk hover:border-silk-soft aria-[current=page]:border-gold sm:px-3'

/**
 * The same for everybody, as pages are rendered once: the classes `for-visitors` and `for-accounts` show what fits,
 * and the script at the end sets right before the first paint what the server could not know.
 */
export function Header() {
  const account = useAccount()

  return (
    <header className="on-board">
      <nav aria-label="Main" className="mx-auto flex max-w-page flex-wrap items-center gap-x-3 px-4 sm:gap-x-4 sm:px-6">
        <Link to="/" prefetch="intent" className="flex min-h-12 items-center gap-2 font-semibold whitespace-nowrap min-[22rem]:text-lg">
          <img src="/favicon.svg" alt="" width="32" height="32" />
          Nucleus of PC
        </Link>

        {/* A wrapping row instead of a menu behind a button: hidden links are found half as often. */}
        <ul className="-mx-2 flex grow flex-wrap items-center max-sm:order-last max-sm:basis-full max-sm:border-t max-sm:border-trace sm:mx-0">
          <li>
            <NavLink to="/" end prefetch="intent" className={item}>
              Home
            </NavLink>
          </li>
          <li>
            <NavLink to="/allproducts" prefetch="intent" className={item}>
              All tools
            </NavLink>
          </li>
          <li className="for-accounts">
            <NavLink to="/dashboard" prefetch="intent" className={item}>
              Dashboard
            </NavLink>
          </li>
          <li className="for-visitors ml-auto">
            <NavLink to="/login" prefetch="intent" className={item}>
              Login
            </NavLink>
          </li>
          <li className="for-accounts ml-auto">
            <Logout />
          </li>
        </ul>

        <p className="flex min-w-24 flex-1 items-center justify-end gap-1.5 text-sm text-silk-soft sm:flex-none">
          <Icon name="user" className="size-4 max-[22rem]:hidden" />
          <span data-badge suppressHydrationWarning className="truncate sm:max-w-40 lg:max-w-56">
            {account?.name || account?.email || 'No user logged in'}
          </span>
        </p>
      </nav>
      <InlineScript run={correctNavigation} />
    </header>
  )
}

function Logout() {
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()

  async function leave() {
    setBusy(true)
    try {
      // fetched now: with it come the calls and their schemas, which no page needs before
      const { signOut } = await import('#store/identity/screens/session.ts')
      await signOut()
      await navigate('/')
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" disabled={busy} aria-busy={busy || undefined} onClick={leave} className={item}>
      Logout
    </button>
  )
}
