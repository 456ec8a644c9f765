import { NavLink, Outlet } from 'react-router'

const item = 'flex min-h-11 items-center rounded px-3 font-medium hover:bg-tint aria-[current=page]:bg-tint aria-[current=page]:text-leaf'

/** The frame around the signed-in screens. Who sees which item is decided by the classes, like the navigation bar's. */
export default function Dashboard() {
  return (
    <div className="mx-auto flex max-w-page flex-col lg:flex-row lg:items-start lg:gap-6 lg:px-6">
      <div className="px-4 pt-6 sm:px-6 lg:w-56 lg:shrink-0 lg:px-0 lg:pt-10 print:hidden">
        <h2 className="text-lg">Welcome to Dashboard</h2>
        <nav aria-label="Dashboard" className="mt-3">
          <ul className="-mx-3 flex flex-wrap gap-1 lg:flex-col">
            <li>
              <NavLink to="/dashboard" end className={item}>
                My Profile
              </NavLink>
            </li>
            <li className="for-customers">
              <NavLink to="/dashboard/myorder" className={item}>
                My Orders
              </NavLink>
            </li>
            <li className="for-admins">
              <NavLink to="/dashboard/allusers" className={item}>
                All Users
              </NavLink>
            </li>
            <li className="for-admins">
              <NavLink to="/dashboard/manageproducts" className={item}>
                Manage Products
              </NavLink>
            </li>
            <li className="for-admins">
              <NavLink to="/dashboard/manageallorders" className={item}>
                Manage All Orders
              </NavLink>
            </li>
            <li className="for-admins">
              <NavLink to="/dashboard/addatool" className={item}>
                Add Tool
              </NavLink>
            </li>
          </ul>
        </nav>
      </div>
      {/* narrow pages begin where wide ones do, beside the menu */}
      <div className="min-w-0 grow *:mx-0">
        <Outlet />
      </div>
    </div>
  )
}
