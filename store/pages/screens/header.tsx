import { memo, useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { SearchBox } from '#store/catalogue/screens/search-box.tsx'
import { correctNavigation, useAccount } from '#web/account.ts'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import { MenuButton } from '#web/menu.tsx'

/** A category that the shop has, by which a page's frame leads to it. */
export type ShopCategory = { key: string; label: string }

export const categoryAddress = ({ key }: ShopCategory) => `/allproducts?category=${encodeURIComponent(key)}`

const item =
  'flex min-h-11 items-center border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-silk hover:border-silk-soft aria-[current=page]:border-gold'

/**
 * The same for everybody, as pages are rendered once: the classes `for-visitors` and `for-accounts` show what fits,
 * and the script at the end sets right before the first paint what the server could not know.
 */
export const Header = memo(function Header({ categories }: { categories: ShopCategory[] }) {
  const account = useAccount()
  const { pathname } = useLocation()

  return (
    <header className="on-board print:hidden">
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
            <DashboardLinks className="max-md:hidden" />
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
      <ShopBar categories={categories} />
      <InlineScript run={correctNavigation} />
    </header>
  )
})

/** From which width on there is room for the first category, the second, and so on. */
const room = ['max-lg:hidden', 'max-lg:hidden', 'max-lg:hidden', 'max-xl:hidden', 'max-xl:hidden', 'max-2xl:hidden']

/** The way to the products, below the account's links; never folded away. */
function ShopBar({ categories }: { categories: ShopCategory[] }) {
  const { pathname, search } = useLocation()
  const chosen = pathname === '/allproducts' ? new URLSearchParams(search).get('category') : null
  return (
    <div className="border-t border-trace">
      <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-4 px-4 sm:px-6">
        <nav aria-label="Shop" className="-mx-2 max-md:basis-full">
          <ul className="flex flex-wrap items-center max-[22rem]:text-sm">
            <li>
              <Link
                to="/allproducts"
                prefetch="intent"
                aria-current={pathname === '/allproducts' && !chosen ? 'page' : undefined}
                className={item}
              >
                All tools
              </Link>
            </li>
            {categories.map((category, place) => (
              <li key={category.key} className={room[place]}>
                <Link
                  to={categoryAddress(category)}
                  prefetch="intent"
                  aria-current={category.key === chosen ? 'page' : undefined}
                  className={`${item} font-normal`}
                >
                  {category.label}
                </Link>
              </li>
            ))}
            <li className="for-visitors md:hidden">
              <NavLink to="/login" prefetch="intent" className={item}>
                Login
              </NavLink>
            </li>
            <DashboardLinks className="md:hidden" />
          </ul>
        </nav>
        <SearchBox className="grow max-md:mb-2 max-md:basis-full md:my-1 md:ml-auto md:max-w-2xl" />
      </div>
    </div>
  )
}

/** A customer begins at the profile, an admin at the overview; anywhere in the dashboard the link says that one is there. */
function DashboardLinks({ className }: { className: string }) {
  const here = useLocation().pathname.startsWith('/dashboard') ? 'page' : undefined
  return (
    <>
      <li className={`for-customers ${className}`}>
        <Link to="/dashboard" prefetch="intent" aria-current={here} className={item}>
          Dashboard
        </Link>
      </li>
      <li className={`for-admins ${className}`}>
        <Link to="/dashboard/overview" prefetch="intent" aria-current={here} className={item}>
          Dashboard
        </Link>
      </li>
    </>
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
