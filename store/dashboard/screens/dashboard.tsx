import type { ReactNode } from 'react'
import { NavLink, Outlet } from 'react-router'
import { askRole } from '#store/identity/screens/session.ts'
import { MenuButton } from '#web/menu.tsx'

/** A lookup that fails says nothing here: the screen inside asks the store as well, and tells. */
export async function clientLoader() {
  await askRole().catch(() => {})
  return null
}

const entries = [
  { to: '/dashboard/overview', words: 'Overview', seenBy: 'for-admins' },
  { to: '/dashboard', words: 'My Profile' },
  { to: '/dashboard/addreview', words: 'Add A Review', seenBy: 'for-customers' },
  { to: '/dashboard/myorder', words: 'My Orders', seenBy: 'for-customers' },
  { to: '/dashboard/allusers', words: 'All Users', seenBy: 'for-admins' },
  { to: '/dashboard/manageproducts', words: 'Manage Products', seenBy: 'for-admins' },
  { to: '/dashboard/manageallorders', words: 'Manage All Orders', seenBy: 'for-admins' },
  { to: '/dashboard/reviews', words: 'Reviews', seenBy: 'for-admins' },
  { to: '/dashboard/addatool', words: 'Add Tool', seenBy: 'for-admins' },
  { to: '/dashboard/import', words: 'Import', seenBy: 'for-admins' },
]

/**
 * The frame around the signed-in screens. Who sees which entry is decided by the classes, like the navigation bar's.
 * On small screens the menu is folded away behind its button, see `web/menu.tsx`.
 */
export default function Dashboard() {
  return (
    <DashboardFrame>
      <Outlet />
    </DashboardFrame>
  )
}

/** While the screen in it is waited for, its small menu has no button: what is opened now would close when the screen comes. */
export function DashboardFrame({ waiting = false, children }: { waiting?: boolean; children: ReactNode }) {
  return (
    // so high that the footer stays where it is when the screen comes
    <div className="mx-auto flex min-h-dvh max-w-page flex-col lg:flex-row lg:items-start lg:gap-6 lg:px-6">
      <aside aria-labelledby="welcome" className="px-4 pt-6 sm:px-6 lg:sticky lg:top-0 lg:w-56 lg:shrink-0 lg:px-0 lg:pt-10 print:hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="welcome" className="text-base sm:text-lg">
            Welcome to Dashboard
          </h2>
          <MenuButton opens="dashboard-menu" className={`max-sm:px-2 max-sm:text-sm lg:hidden ${waiting ? 'invisible' : ''}`}>
            Dashboard menu
          </MenuButton>
        </div>
        <div id="dashboard-menu" popover="auto" className="max-lg:sheet max-lg:bg-panel max-lg:text-ink lg:unfolded lg:mt-3">
          <nav aria-label="Dashboard">
            <ul className="flex flex-col gap-1 lg:-mx-3">
              {entries.map(({ to, words, seenBy }) => (
                <li key={to} className={seenBy}>
                  <NavLink
                    to={to}
                    end={to === '/dashboard'}
                    prefetch="viewport" // so that a network that is gone is told in the page, not by the browser
                    className="flex min-h-11 items-center rounded px-3 font-medium hover:bg-tint aria-[current=page]:bg-tint aria-[current=page]:text-leaf"
                  >
                    {words}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </aside>
      {/* narrow pages begin where wide ones do, beside the menu */}
      <div className="min-w-0 grow *:mx-0">{children}</div>
    </div>
  )
}
