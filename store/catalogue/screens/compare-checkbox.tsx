import { useCallback } from 'react'
import { isCompared, toggleCompared, useComparedProducts } from './compared-products.ts'

type CompareCheckboxProps = {
  product: { _id: string; name: string; category?: string | null | undefined }
  /** in a row: the label is seen only where the row is a card */
  isDense?: boolean
}

/** Checkbox to add a product to the comparison. Products without a category cannot be compared. */
export function CompareCheckbox({ product: { _id: id, name, category }, isDense = false }: CompareCheckboxProps) {
  const isTicked = useComparedProducts().some((one) => one.id === id)
  // The user may have ticked it before hydration.
  const syncEarlyTick = useCallback(
    (box: HTMLInputElement | null) => {
      if (box?.checked && category && !isCompared(id)) toggleCompared({ id, name, category })
    },
    [id, name, category],
  )
  if (!category) return null
  return (
    <label
      className={`needs-script inline-flex min-w-8 cursor-pointer items-center gap-2 text-sm ${isDense ? 'min-h-11 pointer-fine:min-h-6' : 'min-h-8'}`}
    >
      <input
        ref={syncEarlyTick}
        type="checkbox"
        autoComplete="off" // the stored selection is newer than a form state restored by the browser
        checked={isTicked}
        onChange={() => toggleCompared({ id, name, category })}
        aria-label={`Compare, ${name}`}
        className="size-4 accent-leaf"
      />
      <span aria-hidden="true" className={isDense ? '@3xl:hidden' : undefined}>
        Compare
      </span>
    </label>
  )
}
