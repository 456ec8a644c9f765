import { useEffect, useRef } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import type { PaginatedList } from './use-paginated-list.ts'

/** Search field above a list, applied on every keystroke, with the number of matches below. */
export function ListSearch({
  listing,
  label,
  itemNouns,
}: {
  listing: PaginatedList
  label: string
  itemNouns: [one: string, several: string]
}) {
  const input = useRef<HTMLInputElement>(null)
  const { q } = listing.query
  const { total } = listing

  // Back may change `q`. A focused field keeps what the user is typing.
  useEffect(() => {
    if (input.current && input.current !== document.activeElement) input.current.value = q
  }, [q])

  function clear() {
    listing.updateQuery({ q: '' })
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
        onChange={(event) => listing.updateQuery({ q: event.target.value.trimStart() }, { replace: true })}
      >
        {q && (
          <Button variant="quiet" onClick={clear} className="shrink-0">
            Clear
          </Button>
        )}
      </Field>
      <p role="status" className="text-soft">
        {formatNumber(total)} {total === 1 ? itemNouns[0] : itemNouns[1]}
        {q && ` found for "${q.trim()}"`}
      </p>
      {q && total === 0 && <p>Fewer words find more, and so do their beginnings.</p>}
    </search>
  )
}
