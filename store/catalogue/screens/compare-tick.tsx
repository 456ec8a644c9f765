import { useCallback } from 'react'
import { isTicked, tick, useTicked } from './compared.ts'

type CompareTickProps = {
  part: { _id: string; name: string; category?: string | null | undefined }
  /** the word stands in the head of the column */
  wordless?: boolean
}

/** A box that puts a part beside others. Parts of no category have nothing to be compared by. */
export function CompareTick({ part: { _id: id, name, category }, wordless = false }: CompareTickProps) {
  const ticked = useTicked().some((one) => one.id === id)
  // It may have been ticked before this script was there to hear of it.
  const look = useCallback(
    (box: HTMLInputElement | null) => {
      if (box?.checked && category && !isTicked(id)) tick({ id, name, category })
    },
    [id, name, category],
  )
  if (!category) return null
  return (
    <label
      className={`needs-script inline-flex min-h-8 min-w-8 cursor-pointer items-center gap-2 text-sm ${wordless ? 'justify-center' : ''}`}
    >
      <input
        ref={look}
        type="checkbox"
        autoComplete="off" // what the browser kept of the page is older than what is ticked
        checked={ticked}
        onChange={() => tick({ id, name, category })}
        aria-label={`Compare, ${name}`}
        className="size-4 accent-leaf"
      />
      {!wordless && <span aria-hidden="true">Compare</span>}
    </label>
  )
}
