import { type ComponentType, type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { Icon } from '#web/icon.tsx'
import { shortcutsOn } from '#web/shortcuts.tsx'
import { addressWith, isTable } from './browsing.ts'
import type { SuggestionsProps } from './suggestions.tsx'

/** The one box to search the shop with: a form that works before its script, and suggests once somebody goes there. */
export function SearchBox({ className = '' }: { className?: string }) {
  const input = useRef<HTMLInputElement>(null)
  const { pathname, search } = useLocation()
  const browsing = pathname === '/allproducts' ? new URLSearchParams(search) : new URLSearchParams()
  const table = isTable(browsing)
  const Suggestions = useSuggestionsOnFocus(input)
  const navigate = useNavigate()
  useShortcut(input)
  useWordsOfAddress(input, browsing.get('q') ?? '')

  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    navigate(addressWith(new URLSearchParams(), { q: input.current?.value, look: table ? 'table' : undefined }))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a form is the landmark itself, one element less
    <form role="search" aria-label="Search the shop" action="/allproducts" onSubmit={find} className={`relative flex min-w-0 ${className}`}>
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
      {table && <input type="hidden" name="look" value="table" />}
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

/** What suggests is fetched when somebody goes to the box: no page needs it before. */
function useSuggestionsOnFocus(input: SuggestionsProps['input']) {
  const [fetched, keep] = useState<{ Suggestions: ComponentType<SuggestionsProps> }>()
  useEffect(() => {
    const box = input.current
    const fetchOnce = () => void import('./suggestions.tsx').then(keep, () => {}) // without a network the box still searches
    if (box === document.activeElement) fetchOnce()
    box?.addEventListener('focus', fetchOnce, { once: true })
    return () => box?.removeEventListener('focus', fetchOnce)
  }, [input])
  return fetched?.Suggestions
}

/** "/" goes to the box, unless one is typing, or has turned that off. */
function useShortcut(input: SuggestionsProps['input']) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
      if (event.key !== '/' || !shortcutsOn() || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [input])
}

/** The words stay in the box to be edited. Back may have changed them; whoever is typing there otherwise knows better. */
function useWordsOfAddress(input: SuggestionsProps['input'], q: string) {
  const way = useNavigationType()
  const shown = useRef(q)
  useEffect(() => {
    if (shown.current === q) return // what was typed before the script came is not taken away by it
    shown.current = q
    if (input.current && (way === 'POP' || input.current !== document.activeElement)) input.current.value = q
  }, [input, q, way])
}
