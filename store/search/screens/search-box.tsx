import { type ComponentType, type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { Icon } from '#web/icon.tsx'
import { areShortcutsEnabled } from '#web/keyboard-shortcuts.tsx'
import { chosenLook, productsUrlWithParams } from './search-url.ts'
import type { SuggestionsProps } from './suggestions.tsx'

/** Search form. Works before hydration; suggestions are loaded on focus. */
export function SearchBox({ className = '' }: { className?: string }) {
  const input = useRef<HTMLInputElement>(null)
  const { pathname, search } = useLocation()
  const browsing = pathname === '/allproducts' ? new URLSearchParams(search) : new URLSearchParams()
  const look = chosenLook(browsing)
  const Suggestions = useSuggestionsOnFocus(input)
  const navigate = useNavigate()
  useSearchShortcut(input)
  useQueryFromUrl(input, browsing.get('q') ?? '')

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    navigate(productsUrlWithParams(new URLSearchParams(), { q: input.current?.value, look }))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a form is the landmark itself, one element less
    <form
      role="search"
      aria-label="Search the shop"
      action="/allproducts"
      onSubmit={find}
      className={`flex min-w-0 sm:relative ${className}`}
    >
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={browsing.get('q') ?? ''}
        aria-label="Search all tools"
        placeholder="Name, part number or kind"
        maxLength={200}
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        spellCheck={false}
        className="relative min-h-10 w-full focus:z-10 min-w-0 rounded-l border border-r-0 border-edge bg-panel px-3 text-base text-ink placeholder:text-soft"
      />
      {look && <input type="hidden" name="look" value={look} />}
      <button
        type="submit"
        aria-label="Search"
        className="grid w-12 shrink-0 place-items-center rounded-r bg-copper text-on-copper hover:bg-copper-deep"
      >
        <Icon name="search" />
      </button>
      {Suggestions && <Suggestions input={input} />}
    </form>
  )
}

/** Loads the suggestions component on first focus, because no page needs it before. */
function useSuggestionsOnFocus(input: SuggestionsProps['input']) {
  const [fetched, setFetched] = useState<{ Suggestions: ComponentType<SuggestionsProps> }>()
  useEffect(() => {
    const box = input.current
    const fetchOnce = () => void import('./suggestions.tsx').then(setFetched, () => {}) // if it fails, the form still searches
    if (box === document.activeElement) fetchOnce()
    box?.addEventListener('focus', fetchOnce, { once: true })
    return () => box?.removeEventListener('focus', fetchOnce)
  }, [input])
  return fetched?.Suggestions
}

/** "/" focuses the search box, unless the user is typing or has disabled shortcuts. */
function useSearchShortcut(input: SuggestionsProps['input']) {
  // a passive effect may run long after hydration on a busy machine, and the key would be lost until then
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
      if (event.key !== '/' || !areShortcutsEnabled() || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [input])
}

/** Shows the search text of the URL in the box. While the box has the focus, only Back and Forward replace its text. */
function useQueryFromUrl(input: SuggestionsProps['input'], q: string) {
  const navigationType = useNavigationType()
  const shownQuery = useRef(q)
  useEffect(() => {
    if (shownQuery.current === q) return // keeps text typed before hydration
    shownQuery.current = q
    if (input.current && (navigationType === 'POP' || input.current !== document.activeElement)) input.current.value = q
  }, [input, q, navigationType])
}
