import type { KeyboardEvent } from 'react'

/**
 * Key handler for a table. Arrow up and down move the focus between rows, in the same column if it has an interactive element.
 * Home and End move to the first and last row; n and p click the link to the next and previous page.
 */
export function moveRowFocusByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: table } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (!(target instanceof HTMLElement) || target.closest('input:not([type=checkbox]), select, textarea, [role=dialog]')) return
  const rows = [...table.querySelectorAll<HTMLTableRowElement>('tbody tr')]
  const currentRow = target.closest('tr')
  const index = currentRow ? rows.indexOf(currentRow) : -1
  const nextIndex = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[key]
  const row = nextIndex === undefined ? undefined : rows[nextIndex]
  const focusTarget = row ? (interactiveInSameColumn(row, target) ?? firstInteractive(row)) : findPageLink(key)
  if (!focusTarget) return
  event.preventDefault()
  focusTarget.focus()
  if (!row) focusTarget.click()
}

const firstInteractive = (container: Element) => container.querySelector<HTMLElement>('a[href], button:enabled, summary, input:enabled')

function interactiveInSameColumn(row: HTMLTableRowElement, target: HTMLElement): HTMLElement | null {
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const other = cell?.closest('tbody') && row.cells[cell.cellIndex]
  return other ? firstInteractive(other) : null
}

function findPageLink(key: string): HTMLElement | null {
  const rel = { n: 'next', p: 'prev' }[key]
  return rel ? document.querySelector<HTMLElement>(`nav[aria-label=Pages] a[rel=${rel}]`) : null
}
