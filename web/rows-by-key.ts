import type { KeyboardEvent } from 'react'

/**
 * For the box of a table: while the focus is in it, the arrow keys go from row to row, staying in their column where it has something to press;
 * Home and End go to the first and the last row, n and p press what leads to the next page and the one before.
 */
export function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: box } = event
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (!(target instanceof HTMLElement) || target.closest('input:not([type=checkbox]), select, textarea, [role=dialog]')) return
  const rows = [...box.querySelectorAll<HTMLTableRowElement>('tbody tr')]
  const here = target.closest('tr')
  const at = here ? rows.indexOf(here) : -1
  const place = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  const row = place === undefined ? undefined : rows[place]
  const goal = row ? (sameColumn(row, target) ?? pressable(row)) : pageLink(key)
  if (!goal) return
  event.preventDefault()
  goal.focus()
  if (!row) goal.click()
}

const pressable = (part: Element) => part.querySelector<HTMLElement>('a[href], button:enabled, summary, input:enabled')

function sameColumn(row: HTMLTableRowElement, target: HTMLElement): HTMLElement | null {
  const cell = target.closest<HTMLTableCellElement>('td, th')
  const other = cell?.closest('tbody') && row.cells[cell.cellIndex]
  return other ? pressable(other) : null
}

function pageLink(key: string): HTMLElement | null {
  const rel = { n: 'next', p: 'prev' }[key]
  return rel ? document.querySelector<HTMLElement>(`nav[aria-label=Pages] a[rel=${rel}]`) : null
}
