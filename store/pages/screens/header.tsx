import { memo, useState } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { SearchBox } from '#store/search/screens/search-box.tsx'
import { applyVisitorToNavigation, useAccount } from '#web/account.ts'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import { Link } from '#web/link.tsx'
import { MenuButton } from '#web/menu-button.tsx'

/** A category linked in the header and footer. */
export type ShopCategory = { key: string; label: string }

export const categoryUrl = ({ key }: ShopCategory) => `/allproducts?category=${encodeURIComponent(key)}`

const isHome = (pathname: string) => ['/', '/home'].includes(pathname)

const linkClasses =
  'flex min-h-11 items-center border-b-2 border-transparent px-2 font-medium whitespace-nowrap text-silk hover:border-silk-soft aria-[current=page]:border-gold'

/**
 * Rendered the same for everybody, since pages are cached. The classes `for-visitors` and `for-accounts` control visibility by account,
 * and the inline script at the end applies the account of the browser before the first paint.
 *
 * Long because it is one flat list of links, and a component for them would weigh on every page.
 */
export const Header = memo(function Header({ categories }: { categories: ShopCategory[] }) {
  const account = useAccount()
  const { pathname } = useLocation()

  return (
    // on small screens the first bar scrolls away, and the second stays
    <header className="on-board max-md:sticky max-md:-top-11 max-md:z-30 print:hidden">
      <nav aria-label="Main" className="mx-auto flex max-w-page items-center gap-x-3 px-4 max-md:h-11 sm:px-6 lg:gap-x-4">
        <Link
          to="/"
          prefetch="intent"
          className="flex min-h-11 shrink-0 items-center gap-2 font-semibold whitespace-nowrap md:min-h-12 md:text-lg"
        >
          <img src="/mark.svg" alt="" width="32" height="32" className="max-[22rem]:hidden max-md:size-6" />
          Nucleus of PC
        </Link>
        <div id="main-menu" popover="auto" className="max-md:sheet max-md:on-board md:unfolded grow">
          <ul aria-label="Categories" className="mb-2 grid grid-cols-2 border-b border-trace pb-2 md:hidden">
            <CategoryItems categories={categories} />
          </ul>
          <ul className="flex flex-col md:flex-row md:items-center">
            <li>
              <Link to="/" prefetch="intent" aria-current={isHome(pathname) ? 'page' : undefined} className={linkClasses}>
                Home
              </Link>
            </li>
            <li>
              <NavLink to="/blogs" prefetch="intent" className={linkClasses}>
                Blogs
              </NavLink>
            </li>
            {/* on small screens these two are beside the menu, visible without opening it */}
            <DashboardLinks className="max-md:hidden" />
            <li className="for-visitors max-md:hidden">
              <NavLink to="/login" prefetch="intent" className={linkClasses}>
                Login
              </NavLink>
            </li>
            <li className="for-accounts">
              <LogoutButton />
            </li>
            <li>
              <NavLink to="/myportfolio" prefetch="intent" className={linkClasses}>
                My Portfolio
              </NavLink>
            </li>
          </ul>
        </div>

        <ul className="ml-auto md:hidden">
          <li className="for-visitors">
            <NavLink to="/login" prefetch="intent" className={linkClasses}>
              Login
            </NavLink>
          </li>
          <DashboardLinks className="" />
        </ul>
        <p className="flex min-w-0 md:ml-auto items-center gap-1.5 py-1 text-sm leading-tight text-silk-soft">
          <Icon name="user" className="size-4 max-[24rem]:hidden" />
          <span
            data-badge
            suppressHydrationWarning
            className="line-clamp-2 max-w-20 [overflow-wrap:anywhere] max-md:text-right sm:max-w-40 lg:max-w-56"
          >
            {account?.name || account?.email || 'No user logged in'}
          </span>
        </p>
        <BasketLink className="max-md:hidden" />
      </nav>
      <ShopBar categories={categories} />
      <InlineScript run={applyVisitorToNavigation} />
    </header>
  )
})

/**
 * The basket, with the number of its lines. That stands in a cookie, and `applyVisitorToNavigation` fills it in before hydration: what stands in
 * the element is none of React's.
 */
function BasketLink({ className }: { className: string }) {
  return (
    <Link to="/cart" className={`${linkClasses} gap-1.5 ${className}`}>
      <Icon name="basket" />
      {/* five links, the name and the account fill a tablet, and the search a phone */}
      <span className="max-lg:sr-only">Basket</span>
      <span
        data-cart-lines
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: it is empty
        dangerouslySetInnerHTML={{ __html: '' }}
        className="figures rounded-full bg-gold px-1.5 text-sm text-ground empty:hidden"
      />
    </Link>
  )
}

/** The breakpoint from which on the category at this index fits. */
const categoryVisibilityClasses = ['max-lg:hidden', 'max-lg:hidden', 'max-lg:hidden', 'max-xl:hidden', 'max-xl:hidden', 'max-2xl:hidden']
/** The same where no search stands beside them. */
const categoryVisibilityClassesOnHome = ['', '', '', 'max-lg:hidden', 'max-lg:hidden', 'max-lg:hidden']

/** Second bar with the products and the search; never collapsed. On small screens the menu has the products. */
function ShopBar({ categories }: { categories: ShopCategory[] }) {
  const isHomePage = isHome(useLocation().pathname)
  return (
    <div className="border-t border-trace">
      <div className="mx-auto flex max-w-page items-center gap-x-2 px-4 max-md:h-14 sm:px-6 md:gap-x-4">
        <MenuButton menuId="main-menu" className="md:hidden">
          Menu
        </MenuButton>
        <nav aria-label="Shop" className="-mx-2 max-md:hidden">
          <ul className="flex flex-wrap items-center">
            <CategoryItems categories={categories} classNames={isHomePage ? categoryVisibilityClassesOnHome : categoryVisibilityClasses} />
          </ul>
        </nav>
        {/* the home page has a larger one of its own in a wide window */}
        <SearchBox className={`grow md:my-1 md:ml-auto md:max-w-2xl ${isHomePage ? 'md:hidden' : ''}`} />
        <BasketLink className="-mr-2 md:hidden" />
      </div>
    </div>
  )
}

type CategoryItemsProps = { categories: ShopCategory[]; classNames?: string[] }

function CategoryItems({ categories, classNames = [] }: CategoryItemsProps) {
  const { pathname, search } = useLocation()
  const chosen = pathname === '/allproducts' ? new URLSearchParams(search).get('category') : null
  return (
    <>
      <li>
        <Link
          to="/allproducts"
          prefetch="intent"
          aria-current={pathname === '/allproducts' && !chosen ? 'page' : undefined}
          className={linkClasses}
        >
          All tools
        </Link>
      </li>
      {categories.map((category, index) => (
        <li key={category.key} className={classNames[index]}>
          <Link
            to={categoryUrl(category)}
            prefetch="intent"
            aria-current={category.key === chosen ? 'page' : undefined}
            className={`${linkClasses} font-normal`}
          >
            {category.label}
          </Link>
        </li>
      ))}
    </>
  )
}

/** Leads customers to the profile and admins to the overview. Marked as current on all dashboard pages. */
function DashboardLinks({ className }: { className: string }) {
  const ariaCurrent = useLocation().pathname.startsWith('/dashboard') ? 'page' : undefined
  return (
    <>
      <li className={`for-customers ${className}`}>
        <Link to="/dashboard" prefetch="intent" aria-current={ariaCurrent} className={linkClasses}>
          Dashboard
        </Link>
      </li>
      <li className={`for-admins ${className}`}>
        <Link to="/dashboard/overview" prefetch="intent" aria-current={ariaCurrent} className={linkClasses}>
          Dashboard
        </Link>
      </li>
    </>
  )
}

function LogoutButton() {
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()

  async function logOut() {
    setBusy(true)
    try {
      // loaded on demand, since it imports contracts with their schemas
      const { signOut } = await import('#store/identity/screens/session.ts')
      await signOut()
      await navigate('/')
    } finally {
      setBusy(false)
    }
  }

  return (
    <button type="button" disabled={busy} aria-busy={busy || undefined} onClick={logOut} className={linkClasses}>
      Logout
    </button>
  )
}
