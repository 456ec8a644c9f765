import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { PrefetchPageLinks, useNavigate } from 'react-router'
import type { Suggestions as Suggested, suggestTools } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { Dollars } from '#web/money.tsx'
import { send } from '#web/send.ts'
import { addressWith } from './browsing.ts'

export type SuggestionsProps = { input: RefObject<HTMLInputElement | null> }

type Option = { to: string; kind: 'category' | 'tool' | 'all'; content: React.ReactNode }

const pauseMilliseconds = 120
const fewestCharacters = 2
const most = { categories: 3, tools: 6 }

/**
 * What the store offers while somebody types, as a listbox below the box: the pattern "combobox" of the ARIA practices, with manual choice. The typed text
 * stays until something is chosen; nothing is chosen unless an arrow or the pointer has gone there. A call that fails offers nothing.
 */
export function Suggestions({ input }: SuggestionsProps) {
  const id = useId()
  const navigate = useNavigate()
  const [options, offer] = useState<Option[]>([])
  const [active, go] = useState(-1)
  const open = options.length > 0
  const now = useRef({ options, active })
  now.current = { options, active }

  useEffect(() => {
    const box = input.current
    if (!box) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let asking = new AbortController()

    function close() {
      clearTimeout(timer)
      asking.abort()
      offer([])
      go(-1)
    }
    function ask() {
      clearTimeout(timer)
      asking.abort() // a late answer never takes the place of a newer one
      const q = box?.value.trim() ?? ''
      if (q.length < fewestCharacters) return close()
      timer = setTimeout(async () => {
        asking = new AbortController()
        const { signal } = asking
        try {
          const suggested = await suggest(q, signal)
          if (signal.aborted || document.activeElement !== box) return
          offer(asOptions(q, suggested))
          go(-1)
        } catch {
          if (!signal.aborted) close()
        }
      }, pauseMilliseconds)
    }
    function press(event: KeyboardEvent) {
      const { options, active } = now.current
      if (options.length === 0) {
        if (event.key === 'ArrowDown') ask()
        return
      }
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      const chosen = options[active]
      if (step) {
        // past either end stands the box itself
        go(((active + 1 + step + options.length + 1) % (options.length + 1)) - 1)
      } else if (event.key === 'Enter' && chosen) {
        close()
        navigate(chosen.to)
      } else if (event.key === 'Escape') close()
      else return
      event.preventDefault()
    }

    box.addEventListener('input', ask)
    box.addEventListener('keydown', press)
    box.addEventListener('blur', close)
    box.form?.addEventListener('submit', close)
    if (box.value !== box.defaultValue) ask() // typed while this was fetched
    return () => {
      close()
      box.removeEventListener('input', ask)
      box.removeEventListener('keydown', press)
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

  const pointedAt = options[active]
  return (
    <>
      {pointedAt && <PrefetchPageLinks page={pointedAt.to} />}
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!open}
        // the box keeps the focus
        onMouseDown={(event) => event.preventDefault()}
        className="absolute inset-x-0 top-full z-40 mt-1 overflow-hidden rounded border border-edge bg-panel py-1 text-ink shadow"
      >
        {options.map(({ to, kind, content }, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
          // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus and says where it stands by aria-activedescendant
          <div
            key={to}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === active}
            onMouseMove={() => place !== active && go(place)}
            onClick={() => {
              offer([])
              go(-1)
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

/** Without the contract itself: its schemas would weigh more than all of this. */
const suggest = (q: string, signal: AbortSignal) =>
  send<typeof suggestTools>({ method: 'GET', url: '/suggestions' }, { querystring: { q } }, (path, request) =>
    fetch(path, { ...request, signal }),
  )

function asOptions(q: string, { categories, tools }: Suggested): Option[] {
  const only = (said: Record<string, string>) => addressWith(new URLSearchParams(), said)
  return [
    ...categories.slice(0, most.categories).map(
      ({ value, label, count }): Option => ({
        to: only({ q, category: value }),
        kind: 'category',
        content: (
          <>
            <span className="min-w-0 grow truncate">
              <span className="text-soft">{q} </span>
              <span className="font-medium">in {label}</span>
            </span>
            <span className="figures text-soft">{inFigures(count)}</span>
          </>
        ),
      }),
    ),
    ...tools.slice(0, most.tools).map(
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
            <Dollars amount={price} />
          </>
        ),
      }),
    ),
    { to: only({ q }), kind: 'all', content: `All results for "${q}"` },
  ]
}
