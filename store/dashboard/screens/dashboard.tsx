import type { ReactNode } from 'react'
import { NavLink, Outlet } from 'react-router'
import { refreshRole } from '#store/identity/screens/session.ts'
import { MenuButton } from '#web/menu-button.tsx'

/** A failed request is ignored here: the nested page sends its own requests and displays errors. */
export async function clientLoader() {
  await refreshRole().catch(() => {})
  return null
}

const menuEntries = [
  { to: '/dashboard/overview', label: 'Overview', visibilityClass: 'for-admins' },
  { to: '/dashboard', label: 'My Profile' },
  { to: '/dashboard/addreview', label: 'Add A Review', visibilityClass: 'for-customers' },
  { to: '/dashboard/myorder', label: 'My Orders', visibilityClass: 'for-customers' },
  { to: '/company', label: 'My Company', visibilityClass: 'for-customers' },
  { to: '/dashboard/allusers', label: 'All Users', visibilityClass: 'for-admins' },
  { to: '/dashboard/manageproducts', label: 'Manage Products', visibilityClass: 'for-admins' },
  { to: '/dashboard/manageallorders', label: 'Manage All Orders', visibilityClass: 'for-admins' },
  { to: '/dashboard/tosend', label: 'To Send', visibilityClass: 'for-admins' },
  { to: '/dashboard/returns', label: 'Returns', visibilityClass: 'for-admins' },
  { to: '/dashboard/reviews', label: 'Reviews', visibilityClass: 'for-admins' },
  { to: '/dashboard/addatool', label: 'Add Tool', visibilityClass: 'for-admins' },
  { to: '/dashboard/prices', label: 'Prices', visibilityClass: 'for-admins' },
  { to: '/dashboard/tax', label: 'Tax', visibilityClass: 'for-admins' },
  { to: '/dashboard/delivery', label: 'Delivery', visibilityClass: 'for-admins' },
  { to: '/dashboard/receivables', label: 'Receivables', visibilityClass: 'for-admins' },
  { to: '/dashboard/seller', label: 'Seller', visibilityClass: 'for-admins' },
  { to: '/dashboard/bank', label: 'Bank', visibilityClass: 'for-admins' },
  { to: '/dashboard/import', label: 'Import', visibilityClass: 'for-admins' },
]

/**
 * The layout of the signed-in pages. CSS classes control the visibility of menu entries by role, as in the header.
 * On small screens the menu is collapsed behind a button, see `web/menu-button.tsx`.
 */
export default function Dashboard() {
  return (
    <DashboardFrame>
      <Outlet />
    </DashboardFrame>
  )
}

/** While the nested page is loading, the menu button is hidden: a menu opened now would close when the page is rendered. */
export function DashboardFrame({ waiting = false, children }: { waiting?: boolean; children: ReactNode }) {
  return (
    // minimum height, so that the footer does not move when the page is rendered
    <div className="mx-auto flex min-h-dvh max-w-page flex-col lg:flex-row lg:items-start lg:gap-6 lg:px-6">
      <aside aria-labelledby="welcome" className="px-4 pt-6 sm:px-6 lg:sticky lg:top-0 lg:w-56 lg:shrink-0 lg:px-0 lg:pt-10 print:hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="welcome" className="text-base sm:text-lg">
            Welcome to Dashboard
          </h2>
          <MenuButton menuId="dashboard-menu" className={`max-sm:px-2 max-sm:text-sm lg:hidden ${waiting ? 'invisible' : ''}`}>
            Dashboard menu
          </MenuButton>
        </div>
        <div id="dashboard-menu" popover="auto" className="max-lg:sheet max-lg:bg-panel max-lg:text-ink lg:unfolded lg:mt-3">
          <nav aria-label="Dashboard">
            <ul className="flex flex-col gap-1 lg:-mx-3">
              {menuEntries.map(({ to, label, visibilityClass }) => (
                <li key={to} className={visibilityClass}>
                  <NavLink
                    to={to}
                    end={to === '/dashboard'}
                    prefetch="viewport" // so that a lost connection is reported by the page, not by the browser
                    className="flex min-h-11 items-center rounded px-3 font-medium hover:bg-tint aria-[current=page]:bg-tint aria-[current=page]:text-leaf"
                  >
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </aside>
      {/* aligns narrow pages with wide ones, beside the menu */}
      <div className="min-w-0 grow *:mx-0">{children}</div>
    </div>
  )
}
