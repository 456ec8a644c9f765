// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import type { ComponentProps, ReactNode } from 'react'

/** What holds the rows of a table: where there is no room for one they are cards, two abreast on a tablet. */
export const rowsAsCards = '@max-3xl:grid @max-3xl:grid-cols-1 @max-3xl:gap-3 @2xl:@max-3xl:grid-cols-2'

/** A row of a table, or where there is no room for one a card. */
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
  /** the head of its column, shown before the value on phones */
  label: string
  /** names the row: a row head, in view while the table scrolls sideways */
  head?: boolean
  /** right-aligned, in figures that stand under one another */
  figures?: boolean
  className?: string
  children?: ReactNode
}

export function Cell({ label, head = false, figures = false, className = '', children }: CellProps) {
  const look = `border-line px-3 py-2 align-middle text-left font-normal @3xl:border-b @3xl:group-last:border-b-0 @3xl:group-hover:bg-tint @max-3xl:flex @max-3xl:items-baseline @max-3xl:justify-between @max-3xl:gap-4 @max-3xl:px-0 @max-3xl:py-1 @max-3xl:before:shrink-0 @max-3xl:before:font-sans @max-3xl:before:tracking-normal @max-3xl:before:text-soft @max-3xl:before:content-[attr(data-label)] ${figures ? 'figures @3xl:text-right @3xl:whitespace-nowrap' : ''} ${className}`
  const value = <span className="min-w-0 @max-3xl:wrap-anywhere @max-3xl:text-right @3xl:block @3xl:max-w-80">{children}</span>
  return head ? (
    <th role="rowheader" scope="row" data-label={label} className={`sticky left-0 z-10 bg-panel @max-3xl:static ${look} font-medium`}>
      {value}
    </th>
  ) : (
    <td role="cell" data-label={label} className={look}>
      {value}
    </td>
  )
}

/** The last button in the row after this button's, or before it at the end, if it can be pressed: where the focus goes on once this row is gone. */
export function buttonInNextRow(button: HTMLElement): HTMLElement | null {
  const row = button.closest('tr')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return neighbour?.querySelector<HTMLElement>('td:last-child button:enabled') ?? null
}
