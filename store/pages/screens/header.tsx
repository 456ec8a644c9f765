import { useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { SearchBox } from '#store/catalogue/screens/search-box.tsx'
import { correctNavigation, useAccount } from '#web/account.ts'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import { MenuButton } from '#web/menu.tsx'

const item =
  'flex min-h-11 items-center border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-silk hover:border-silk-soft aria-[current=page]:border-gold'

/**
 * The same for everybody, as pages are rendered once: the classes `for-visitors` and `for-accounts` show what fits,
 * and the script at the end sets right before the first paint what the server could not know.
 */
export function Header() {
  const account = useAccount()
  const { pathname } = useLocation()

  return (
    <header className="on-board">
      <nav aria-label="Main" className="mx-auto flex max-w-page items-center gap-x-3 px-4 sm:px-6 lg:gap-x-4">
        <Link to="/" prefetch="intent" className="flex min-h-12 items-center gap-2 font-semibold whitespace-nowrap min-[22rem]:text-lg">
          <img src="/mark.svg" alt="" width="32" height="32" className="max-[22rem]:hidden" />
          Nucleus of PC
        </Link>
        <MenuButton opens="main-menu" className="order-last my-1.5 md:hidden">
          Menu
        </MenuButton>

        <div id="main-menu" popover="auto" className="max-md:sheet max-md:on-board md:unfolded grow">
          <ul className="flex flex-col md:flex-row md:items-center">
            <li>
              {/* /home is home too */}
              <Link to="/" prefetch="intent" aria-current={['/', '/home'].includes(pathname) ? 'page' : undefined} className={item}>
                Home
              </Link>
            </li>
            <li>
              <NavLink to="/blogs" prefetch="intent" className={item}>
                Blogs
              </NavLink>
            </li>
            {/* on small screens these two stand in the second bar, in view without the menu */}
            <li className="for-accounts max-md:hidden">
              <NavLink to="/dashboard" prefetch="intent" className={item}>
                Dashboard
              </NavLink>
            </li>
            <li className="for-visitors max-md:hidden">
              <NavLink to="/login" prefetch="intent" className={item}>
                Login
              </NavLink>
            </li>
            <li className="for-accounts">
              <Logout />
            </li>
            <li>
              <NavLink to="/myportfolio" prefetch="intent" className={item}>
                My Portfolio
              </NavLink>
            </li>
          </ul>
        </div>

        <p className="ml-auto flex min-w-0 items-center gap-1.5 py-1 text-sm leading-tight text-silk-soft">
          <Icon name="user" className="size-4 max-[24rem]:hidden" />
          <span
            data-badge
            suppressHydrationWarning
            className="line-clamp-2 max-w-20 [overflow-wrap:anywhere] max-md:text-right sm:max-w-40 lg:max-w-56"
          >
            {account?.name || account?.email || 'No user logged in'}
          </span>
        </p>
      </nav>
      <ShopBar />
      <InlineScript run={correctNavigation} />
    </header>
  )
}

/** The way to the products, below the account's links; never folded away. */
function ShopBar() {
  const inDashboard = useLocation().pathname.startsWith('/dashboard')
  return (
    <div className="border-t border-trace">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 sm:px-6">
        <nav aria-label="Shop" className="-mx-2 max-md:basis-full">
          <ul className="flex flex-wrap items-center max-[22rem]:text-sm">
            <li>
              <NavLink to="/allproducts" prefetch="intent" className={item}>
                All tools
              </NavLink>
            </li>
            <li>
              <Link to="/#hot-products" className={`${item} max-md:hidden`}>
                Hot Products
              </Link>
            </li>
            <li className="for-visitors md:hidden">
              <NavLink to="/login" prefetch="intent" className={item}>
                Login
              </NavLink>
            </li>
            <li className="for-accounts md:hidden">
              <NavLink to="/dashboard" prefetch="intent" className={item}>
                Dashboard
              </NavLink>
            </li>
            {inDashboard && (
              <li className="for-accounts mr-2 ml-auto py-0.5 lg:hidden">
                {/* seen once there is a menu to open: the dashboard comes after the header */}
                <MenuButton opens="dashboard-menu" className="[body:not(:has(#dashboard-menu))_&]:invisible">
                  Dashboard menu
                </MenuButton>
              </li>
            )}
          </ul>
        </nav>
        <SearchBox className="grow max-md:mb-2 max-md:basis-full md:my-1 md:ml-auto md:max-w-2xl" />
      </div>
    </div>
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
