import { type RefObject, useCallback, useEffect, useId, useRef, useState } from 'react'
import { PrefetchPageLinks, useNavigate } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { useOwnPrice } from '#store/catalogue/screens/use-own-price.ts'
import type { Suggestions as Suggested, suggestProducts } from '#store/search/contract.ts'
import { callApi } from '#web/call-api.ts'
import { Amount } from '#web/money.tsx'
import { productsUrlWithParams } from './search-url.ts'

export type SuggestionsProps = { input: RefObject<HTMLInputElement | null> }

type Option = { to: string; kind: 'shortcut' | 'category' | 'tool' | 'all'; content: React.ReactNode }

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
  const { options, active, setActive, choose } = useSuggestedOptions(input)
  const open = options.length > 0
  useComboboxAttributes(input, { listId: id, open, active })

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
        className="absolute inset-x-2 top-full z-40 sm:inset-x-0 mt-1 overflow-hidden rounded border border-edge bg-panel py-1 text-ink shadow"
      >
        {options.map((option, index) => (
          <SuggestedOption
            key={option.to}
            option={option}
            id={`${id}-${index}`}
            isActive={index === active}
            onActivate={() => setActive(index)}
            onChoose={() => choose(option.to)}
          />
        ))}
      </div>
      <p role="status" className="sr-only">
        {open && `${options.length} suggestions`}
      </p>
    </>
  )
}

type OptionProps = { option: Option; id: string; isActive: boolean; onActivate: () => void; onChoose: () => void }

function SuggestedOption({ option: { kind, content }, id, isActive, onActivate, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
    // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus and says where it stands by aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={() => !isActive && onActivate()}
      onClick={onChoose}
      className={`flex min-h-10 cursor-pointer items-center gap-3 border-l-4 border-transparent px-3 py-1.5 text-sm aria-selected:border-copper aria-selected:bg-tint ${kind === 'all' ? 'border-t border-t-line font-medium text-leaf' : ''}`}
    >
      {content}
    </div>
  )
}

/** What is suggested for the text of the box, and the option that its arrow keys have reached; -1 for none. */
function useSuggestedOptions(input: SuggestionsProps['input']) {
  const navigate = useNavigate()
  const [options, setOptions] = useState<Option[]>([])
  const [active, setActive] = useState(-1)
  const latest = useRef({ options, active })
  latest.current = { options, active }

  const show = useCallback((found: Option[]) => {
    setOptions(found)
    setActive(-1)
  }, [])

  useEffect(() => {
    const box = input.current
    if (!box) return
    const requests = createSuggestionRequests(box, show)

    function close() {
      requests.cancel()
      show([])
    }
    function onKeyDown(event: KeyboardEvent) {
      const { options, active } = latest.current
      if (options.length === 0) {
        if (event.key === 'ArrowDown') requests.start()
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

    box.addEventListener('input', requests.start)
    box.addEventListener('keydown', onKeyDown)
    box.addEventListener('blur', close)
    box.form?.addEventListener('submit', close)
    if (box.value !== box.defaultValue) requests.start() // typed while this script loaded
    return () => {
      close()
      box.removeEventListener('input', requests.start)
      box.removeEventListener('keydown', onKeyDown)
      box.removeEventListener('blur', close)
      box.form?.removeEventListener('submit', close)
    }
  }, [input, navigate, show])

  function choose(to: string) {
    show([])
    navigate(to)
  }
  return { options, active, setActive, choose }
}

/** Requests what is suggested for the text of the box once typing pauses; nothing for a short text, and after a failure. */
function createSuggestionRequests(box: HTMLInputElement, show: (found: Option[]) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let request = new AbortController()

  function cancel() {
    clearTimeout(timer)
    request.abort() // a late response must not replace a newer one
  }
  function start() {
    cancel()
    const q = box.value.trim()
    if (q.length < minQueryCharacters) return show([])
    timer = setTimeout(async () => {
      request = new AbortController()
      const { signal } = request
      try {
        const suggestions = await fetchSuggestions(q, signal)
        if (!signal.aborted && document.activeElement === box) show(toOptions(q, suggestions))
      } catch {
        if (!signal.aborted) show([])
      }
    }, debounceMilliseconds)
  }
  return { start, cancel }
}

type ComboboxState = { listId: string; open: boolean; active: number }

function useComboboxAttributes(input: SuggestionsProps['input'], { listId, open, active }: ComboboxState) {
  useEffect(() => {
    const attributes = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': `${open}`,
      'aria-controls': listId,
      'aria-activedescendant': active < 0 ? null : `${listId}-${active}`,
    }
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) input.current?.removeAttribute(name)
      else input.current?.setAttribute(name, value)
    }
  }, [input, listId, open, active])
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

function toOptions(q: string, { shortcuts, categories, tools }: Suggested): Option[] {
  const only = (said: Record<string, string>) => productsUrlWithParams(new URLSearchParams(), said)
  return [
    ...shortcuts.map(
      ({ label, count, params }): Option => ({
        to: `/allproducts?${new URLSearchParams(params.map(({ name, value }) => [name, value]))}`,
        kind: 'shortcut',
        content: (
          <>
            <span className="min-w-0 grow truncate font-medium">{label}</span>
            <span className="figures text-soft">{formatNumber(count)}</span>
          </>
        ),
      }),
    ),
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
