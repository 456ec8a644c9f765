import { useCallback } from 'react'
import { isCompared, toggleCompared, useComparedProducts } from './compared-products.ts'

type CompareCheckboxProps = {
  product: { _id: string; name: string; category?: string | null | undefined }
  /** the column header has the label */
  isLabelHidden?: boolean
}

/** Checkbox to add a product to the comparison. Products without a category cannot be compared. */
export function CompareCheckbox({ product: { _id: id, name, category }, isLabelHidden = false }: CompareCheckboxProps) {
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
      className={`needs-script inline-flex min-h-8 min-w-8 cursor-pointer items-center gap-2 text-sm ${isLabelHidden ? 'justify-center' : ''}`}
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
      {!isLabelHidden && <span aria-hidden="true">Compare</span>}
    </label>
  )
}
