import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { PrefetchPageLinks, useNavigate } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { useOwnPrice } from '#store/catalogue/screens/use-own-price.ts'
import type { Suggestions as Suggested, suggestProducts } from '#store/search/contract.ts'
import { callApi } from '#web/call-api.ts'
import { Amount } from '#web/money.tsx'
import { productsUrlWithParams } from './search-url.ts'

export type SuggestionsProps = { input: RefObject<HTMLInputElement | null> }

type Option = { to: string; kind: 'category' | 'tool' | 'all'; content: React.ReactNode }

const debounceMilliseconds = 120
const minQueryCharacters = 2
const maxSuggestions = { categories: 3, products: 6 }

/**
 * Suggestions in a listbox below the search box: ARIA combobox pattern with manual selection. The typed text stays until an option is
 * chosen, and no option is active until an arrow key or the pointer selects one. If the request fails, nothing is shown.
 *
 * Not Base UI's Autocomplete: it weighs 54 kB gzipped, this 3 kB, and is fetched when the box gets the focus, so it would come after the
 * first letters. It also brings an input of its own, in place of the one that is typed into by then.
 */
export function Suggestions({ input }: SuggestionsProps) {
  const id = useId()
  const navigate = useNavigate()
  const [options, setOptions] = useState<Option[]>([])
  const [active, setActive] = useState(-1)
  const open = options.length > 0
  const latest = useRef({ options, active })
  latest.current = { options, active }

  useEffect(() => {
    const box = input.current
    if (!box) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let request = new AbortController()

    function close() {
      clearTimeout(timer)
      request.abort()
      setOptions([])
      setActive(-1)
    }
    function requestSuggestions() {
      clearTimeout(timer)
      request.abort() // a late response must not replace a newer one
      const q = box?.value.trim() ?? ''
      if (q.length < minQueryCharacters) return close()
      timer = setTimeout(async () => {
        request = new AbortController()
        const { signal } = request
        try {
          const suggestions = await fetchSuggestions(q, signal)
          if (signal.aborted || document.activeElement !== box) return
          setOptions(toOptions(q, suggestions))
          setActive(-1)
        } catch {
          if (!signal.aborted) close()
        }
      }, debounceMilliseconds)
    }
    function onKeyDown(event: KeyboardEvent) {
      const { options, active } = latest.current
      if (options.length === 0) {
        if (event.key === 'ArrowDown') requestSuggestions()
        return
      }
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const chosen = options[active]
      if (step) {
        // -1, the search box, comes after the last and before the first option
        setActive(((active + 1 + step + options.length + 1) % (options.length + 1)) - 1)
      } else if (event.key === 'Enter' && chosen) {
        close()
        navigate(chosen.to)
      } else if (event.key === 'Escape') close()
      else return
      event.preventDefault()
    }

    box.addEventListener('input', requestSuggestions)
    box.addEventListener('keydown', onKeyDown)
    box.addEventListener('blur', close)
    box.form?.addEventListener('submit', close)
    if (box.value !== box.defaultValue) requestSuggestions() // typed while this script loaded
    return () => {
      close()
      box.removeEventListener('input', requestSuggestions)
      box.removeEventListener('keydown', onKeyDown)
      box.removeEventListener('blur', close)
      box.form?.removeEventListener('submit', close)
    }
  }, [input, navigate])

  useEffect(() => {
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': `${open}`,
      'aria-controls': id,
      'aria-activedescendant': active < 0 ? null : `${id}-${active}`,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) input.current?.removeAttribute(name)
      else input.current?.setAttribute(name, value)
    }
  }, [input, id, open, active])

  const activeOption = options[active]
  return (
    <>
      {activeOption && <PrefetchPageLinks page={activeOption.to} />}
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!open}
        // keeps the focus in the search box
        onMouseDown={(event) => event.preventDefault()}
        className="absolute inset-x-0 top-full z-40 mt-1 overflow-hidden rounded border border-edge bg-panel py-1 text-ink shadow"
      >
        {options.map(({ to, kind, content }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
          // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus and says where it stands by aria-activedescendant
          <div
            key={to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => index !== active && setActive(index)}
            onClick={() => {
              setOptions([])
              setActive(-1)
              navigate(to)
            }}
            className={`flex min-h-10 cursor-pointer items-center gap-3 border-l-4 border-transparent px-3 py-1.5 text-sm aria-selected:border-copper aria-selected:bg-tint ${kind === 'all' ? 'border-t border-t-line font-medium text-leaf' : ''}`}
          >
            {content}
          </div>
        ))}
      </div>
      <p role="status" className="sr-only">
        {open && `${options.length} suggestions`}
      </p>
    </>
  )
}

/** Does not import the contract, whose schemas are larger than this whole script. */
const fetchSuggestions = (q: string, signal: AbortSignal) =>
  callApi<typeof suggestProducts>({ method: 'GET', url: '/suggestions' }, { querystring: { q } }, (path, request) =>
    fetch(path, { ...request, signal }),
  )

/** What the signed-in customer pays for a piece, once that has come. */
function SuggestedPrice({ productId, listPrice }: { productId: string; listPrice: number }) {
  return <Amount value={useOwnPrice(productId) ?? listPrice} />
}

function toOptions(q: string, { categories, tools }: Suggested): Option[] {
  const only = (said: Record<string, string>) => productsUrlWithParams(new URLSearchParams(), said)
  return [
    ...categories.slice(0, maxSuggestions.categories).map(
      ({ value, label, count }): Option => ({
        to: only({ q, category: value }),
        kind: 'category',
        content: (
          <>
            <span className="min-w-0 grow truncate">
              <span className="text-soft">{q} </span>
              <span className="font-medium">in {label}</span>
            </span>
            <span className="figures text-soft">{formatNumber(count)}</span>
          </>
        ),
      }),
    ),
    ...tools.slice(0, maxSuggestions.products).map(
      ({ _id, name, brand, mpn, price }): Option => ({
        to: `/products/${_id}`,
        kind: 'tool',
        content: (
          <>
            <span className="min-w-0 grow">
              <span className="block truncate">{name}</span>
              {(brand || mpn) && (
                <span className="block truncate text-soft">
                  {brand} <span className="figures">{mpn}</span>
                </span>
              )}
            </span>
            <SuggestedPrice productId={_id} listPrice={price} />
          </>
        ),
      }),
    ),
    { to: only({ q }), kind: 'all', content: `All results for "${q}"` },
  ]
}
