import { memo, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ShortcutsButton } from '#web/shortcuts.tsx'
import { keepTheme, type Theme, useTheme } from '#web/theme.ts'
import { categoryAddress, type ShopCategory } from './header.tsx'

/** Whom to ask, and where everything is: in the same place on every page. */
export const Footer = memo(function Footer({ sinceYear, categories }: { sinceYear: number | undefined; categories: ShopCategory[] }) {
  return (
    <footer className="rests-160 on-board mt-8 md:rests-67 print:hidden">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 sm:px-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex flex-col items-start gap-4">
          <div>
            <p className="text-lg font-semibold">
              Nucleus of PC {/* a page rendered last year may be hydrated this year */}
              <span suppressHydrationWarning className="figures font-normal">
                {new Date().getFullYear()}
              </span>
            </p>
            {sinceYear !== undefined && <p className="text-silk-soft">Providing reliable tech since {sinceYear}</p>}
          </div>
          <ThemeSwitch />
          <ShortcutsButton className="needs-script min-h-8 text-sm text-silk-soft underline underline-offset-4 hover:text-silk pointer-coarse:hidden" />
        </div>
        <nav aria-label="All of the store" className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          <Column title="Shop">
            <Entry to="/allproducts">All tools</Entry>
            {categories.slice(0, 4).map((category) => (
              <Entry key={category.key} to={categoryAddress(category)}>
                {category.label}
              </Entry>
            ))}
          </Column>
          <Column title="Help">
            <Entry to="/help#delivery">Delivery</Entry>
            <Entry to="/help#returns">Returns and refunds</Entry>
            <Entry to="/help#cards">Card payments</Entry>
            <Entry to="/help#contact">Contact</Entry>
          </Column>
          <Column title="About">
            <Entry to="/#about">The company</Entry>
            <Entry to="/#reviews">Reviews</Entry>
            <Entry to="/blogs">Blogs</Entry>
            <Entry to="/myportfolio">My Portfolio</Entry>
          </Column>
        </nav>
      </div>
    </footer>
  )
})

function Column({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-base">{title}</h2>
      <ul className="mt-1">{children}</ul>
    </div>
  )
}

function Entry({ to, children }: { to: string; children: ReactNode }) {
  return (
    <li>
      <Link
        to={to}
        prefetch="intent"
        className="flex min-h-11 items-center text-silk-soft underline-offset-4 hover:text-silk hover:underline pointer-fine:min-h-8"
      >
        {children}
      </Link>
    </li>
  )
}

const themes: { theme: Theme; words: string }[] = [
  { theme: 'system', words: 'As the system' },
  { theme: 'light', words: 'Light' },
  { theme: 'dark', words: 'Dark' },
]

function ThemeSwitch() {
  const chosen = useTheme()
  return (
    <fieldset className="needs-script flex flex-wrap items-center rounded border border-trace p-0.5">
      <legend className="sr-only">Colours</legend>
      {themes.map(({ theme, words }) => (
        <label
          key={theme}
          className="flex min-h-10 cursor-pointer items-center rounded px-3 text-sm text-silk-soft hover:text-silk has-checked:bg-trace has-checked:font-semibold has-checked:text-silk has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-fine:min-h-8"
        >
          <input type="radio" name="theme" className="sr-only" checked={chosen === theme} onChange={() => keepTheme(theme)} />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
