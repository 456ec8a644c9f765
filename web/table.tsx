// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import { type ComponentProps, type ReactNode, useId } from 'react'

type TableProps = {
  caption: string
  head: { label: string; figures?: boolean }[]
  /** rows: `<Row><Cell label="Name" head>...</Cell><Cell label="Price" figures>...</Cell></Row>` */
  children: ReactNode
}

/**
 * A dense table with its head and first column in view. Where there is no room for one, each row is a card and `label` stands before its value;
 * browsers drop a table's meaning when it is displayed otherwise, so the roles are written out.
 */
export function Table({ caption, head, children }: TableProps) {
  const id = useId()
  return (
    <div className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolling box is a region by its name, not a section of the page */}
      <div
        role="region"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        className="@3xl:max-h-[80dvh] @3xl:overflow-auto @3xl:rounded @3xl:border @3xl:border-line @3xl:bg-panel"
      >
        <table role="table" className="w-full border-separate border-spacing-0 text-sm @max-3xl:block">
          <caption id={id} className="px-3 py-3 text-left text-lg font-semibold @max-3xl:block @max-3xl:px-0">
            {caption}
          </caption>
          <thead role="rowgroup" className="@max-3xl:sr-only">
            <tr role="row">
              {head.map(({ label, figures }) => (
                <th
                  key={label}
                  role="columnheader"
                  scope="col"
                  className={`sticky top-0 z-20 border-y border-line bg-tint px-3 py-2 align-bottom font-semibold first:left-0 first:z-30 ${figures ? 'text-right' : 'text-left'}`}
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className="@max-3xl:flex @max-3xl:flex-col @max-3xl:gap-3">
            {children}
          </tbody>
        </table>
      </div>
    </div>
  )
}

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
  const value = <span className="min-w-0 @max-3xl:text-right">{children}</span>
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
