/**
 * Writes the bound at which a handle of a histogram stands into its field; at either end of the histogram the field is emptied. The handles
 * do not cross.
 * @param settle called once the handle is let go, or at once when it was moved by a key
 */
export function moveHandle(handle: HTMLInputElement, settle: () => void): void {
  const bounds = handle.parentElement?.dataset.bounds?.split(',') ?? []
  const [low, high] = handle.parentElement?.querySelectorAll('input') ?? []
  if (!low || !high) return
  if (low.valueAsNumber > high.valueAsNumber) handle.value = (handle === low ? high : low).value
  const isAtEnd = handle.value === (handle === low ? '0' : handle.max)
  const bound = bounds[handle.valueAsNumber] ?? ''
  handle.ariaValueText = isAtEnd ? 'any' : bound
  const field = handle.form?.elements.namedItem(handle.dataset.of ?? '')
  if (field instanceof HTMLInputElement) field.value = isAtEnd ? '' : bound
  if (handle.matches(':active')) handle.onchange = settle
  else settle()
}
