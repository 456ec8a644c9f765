import { useEffect, useRef } from 'react'
import { inFigures } from '#store/in-figures.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import type { Listing } from './use-listing.ts'

/** The search above a list, which follows at every key. How much was found is said below. */
export function Search({ listing, label, things }: { listing: Listing; label: string; things: [one: string, several: string] }) {
  const input = useRef<HTMLInputElement>(null)
  const { q } = listing.view
  const { total } = listing

  // Back may have changed it; whoever is typing in it knows better.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = q
  }, [q])

  function clear() {
    listing.look({ q: '' })
    if (!input.current) return
    input.current.value = ''
    input.current.focus()
  }

  return (
    <search className="flex max-w-form flex-col gap-2">
      <Field
        ref={input}
        type="search"
        label={label}
        autoComplete="off"
        defaultValue={q}
        onChange={(event) => listing.look({ q: event.target.value.trimStart() }, { replace: true })}
      >
        {q && (
          <Button look="quiet" onClick={clear} className="shrink-0">
            Clear
          </Button>
        )}
      </Field>
      <p role="status" className="text-soft">
        {inFigures(total)} {total === 1 ? things[0] : things[1]}
        {q && ` found for "${q.trim()}"`}
      </p>
      {q && total === 0 && <p>Fewer words find more, and so do their beginnings.</p>}
    </search>
  )
}
