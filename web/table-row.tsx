// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its semantics only with explicit roles
import type { ComponentProps, ReactNode } from 'react'

/** For the element that contains the rows: in a narrow container the rows are cards, on a tablet in two columns. */
export const rowsAsCardsClasses = '@max-3xl:grid @max-3xl:grid-cols-1 @max-3xl:gap-3 @2xl:@max-3xl:grid-cols-2'

/** A row of a table; a card in a narrow container. */
export function Row({ className = '', ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      role="row"
      {...rest}
      className={`group @max-3xl:flex @max-3xl:flex-col @max-3xl:rounded @max-3xl:border @max-3xl:border-line @max-3xl:bg-panel @max-3xl:p-3 ${className}`}
    />
  )
}

type CellProps = {
  /** the column header, displayed before the value on phones */
  label: string
  /** the row header, sticky while the table scrolls horizontally */
  isRowHeader?: boolean
  /** right-aligned, with tabular figures */
  isNumeric?: boolean
  className?: string
  children?: ReactNode
}

export function Cell({ label, isRowHeader = false, isNumeric = false, className = '', children }: CellProps) {
  const cellClasses = `border-line px-3 py-2 align-middle text-left font-normal @3xl:border-b @3xl:group-last:border-b-0 @3xl:group-hover:bg-tint @max-3xl:flex @max-3xl:items-baseline @max-3xl:justify-between @max-3xl:gap-4 @max-3xl:px-0 @max-3xl:py-1 @max-3xl:before:shrink-0 @max-3xl:before:font-sans @max-3xl:before:tracking-normal @max-3xl:before:text-soft @max-3xl:before:content-[attr(data-label)] ${isNumeric ? 'figures @3xl:text-right @3xl:whitespace-nowrap' : ''} ${className}`
  const value = <span className="min-w-0 @max-3xl:wrap-anywhere @max-3xl:text-right @3xl:block @3xl:max-w-80">{children}</span>
  return isRowHeader ? (
    <th
      role="rowheader"
      scope="row"
      data-label={label}
      className={`sticky left-0 z-10 bg-panel @max-3xl:static ${cellClasses} font-medium`}
    >
      {value}
    </th>
  ) : (
    <td role="cell" data-label={label} className={cellClasses}>
      {value}
    </td>
  )
}

/** The enabled button in the last cell of the next row, else of the previous row. Focus target after the row of `button` is removed. */
export function focusTargetInNextRow(button: HTMLElement): HTMLElement | null {
  const row = button.closest('tr')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return neighbour?.querySelector<HTMLElement>('td:last-child button:enabled') ?? null
}
