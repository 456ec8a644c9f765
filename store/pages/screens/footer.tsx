import { keepTheme, type Theme, useTheme } from '#web/theme.ts'

const themes: { theme: Theme; words: string }[] = [
  { theme: 'system', words: 'As the system' },
  { theme: 'light', words: 'Light' },
  { theme: 'dark', words: 'Dark' },
]

export function Footer({ sinceYear }: { sinceYear: number | undefined }) {
  return (
    <footer className="mt-8 border-t border-line bg-panel">
      <div className="mx-auto flex max-w-page flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-6 sm:px-6">
        <div>
          <p className="font-semibold">
            Nucleus of PC {/* a page rendered last year may be hydrated this year */}
            <span suppressHydrationWarning className="figures font-normal">
              {new Date().getFullYear()}
            </span>
          </p>
          {sinceYear !== undefined && <p className="text-sm text-soft">Providing reliable tech since {sinceYear}</p>}
        </div>
        <ThemeSwitch />
      </div>
    </footer>
  )
}

function ThemeSwitch() {
  const chosen = useTheme()
  return (
    <fieldset className="needs-script flex flex-wrap items-center gap-x-1">
      <legend className="float-left mr-2 text-sm text-soft">Colours</legend>
      {themes.map(({ theme, words }) => (
        <label
          key={theme}
          className="flex min-h-11 cursor-pointer items-center rounded border border-transparent px-3 text-sm has-checked:border-edge has-checked:bg-tint has-checked:font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input type="radio" name="theme" className="sr-only" checked={chosen === theme} onChange={() => keepTheme(theme)} />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
