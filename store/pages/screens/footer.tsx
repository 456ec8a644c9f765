import { memo, type ReactNode } from 'react'
import { PriceNote } from '#store/catalogue/screens/price-note.tsx'
import { ShortcutsButton } from '#web/keyboard-shortcuts.tsx'
import { Link } from '#web/link.tsx'
import { setTheme, type Theme, useTheme } from '#web/theme.ts'
import { categoryUrl, type ShopCategory } from './header.tsx'

/** Links to help and all areas of the shop. The same on every page. */
export const Footer = memo(function Footer({ sinceYear, categories }: { sinceYear: number | undefined; categories: ShopCategory[] }) {
  return (
    <footer className="rests-160 on-board mt-8 md:rests-67 print:hidden">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 sm:px-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex flex-col items-start gap-4">
          <div>
            <p className="text-lg font-semibold">
              Nucleus of PC {/* a cached page may be hydrated in another year than it was rendered in */}
              <span suppressHydrationWarning className="figures font-normal">
                {new Date().getFullYear()}
              </span>
            </p>
            {sinceYear !== undefined && <p className="text-silk-soft">Providing reliable tech since {sinceYear}</p>}
            <PriceNote of="All prices" className="text-sm text-silk-soft" />
          </div>
          <ThemeSwitch />
          <ShortcutsButton className="needs-script min-h-8 text-sm text-silk-soft underline underline-offset-4 hover:text-silk pointer-coarse:hidden" />
        </div>
        <nav aria-label="All of the store" className="grid grid-cols-2 gap-8 sm:grid-cols-3">
          <FooterColumn title="Shop">
            <FooterLink to="/allproducts">All tools</FooterLink>
            {categories.slice(0, 4).map((category) => (
              <FooterLink key={category.key} to={categoryUrl(category)}>
                {category.label}
              </FooterLink>
            ))}
          </FooterColumn>
          <FooterColumn title="Help">
            <FooterLink to="/help#delivery">Delivery</FooterLink>
            <FooterLink to="/help#returns">Returns and refunds</FooterLink>
            <FooterLink to="/help#cards">Card payments</FooterLink>
            <FooterLink to="/help#contact">Contact</FooterLink>
          </FooterColumn>
          <FooterColumn title="About">
            <FooterLink to="/#about">The company</FooterLink>
            <FooterLink to="/#reviews">Reviews</FooterLink>
            <FooterLink to="/blogs">Blogs</FooterLink>
            <FooterLink to="/myportfolio">My Portfolio</FooterLink>
          </FooterColumn>
        </nav>
      </div>
    </footer>
  )
})

function FooterColumn({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="text-base">{title}</h2>
      <ul className="mt-1">{children}</ul>
    </div>
  )
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
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
  const currentTheme = useTheme()
  return (
    <fieldset className="needs-script flex flex-wrap items-center rounded border border-trace p-0.5">
      <legend className="sr-only">Colours</legend>
      {themes.map(({ theme, words }) => (
        <label
          key={theme}
          className="flex min-h-10 cursor-pointer items-center rounded px-3 text-sm text-silk-soft hover:text-silk has-checked:bg-trace has-checked:font-semibold has-checked:text-silk has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-fine:min-h-8"
        >
          <input type="radio" name="theme" className="sr-only" checked={currentTheme === theme} onChange={() => setTheme(theme)} />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
