// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its semantics only with explicit roles
/*
 * No table library: rows come sorted and paged, and what is left is markup, which TanStack Table leaves to its user and Base UI does not have.
 */
import { type ReactNode, type Ref, useId } from 'react'
import { Icon } from './icon.tsx'
import { rowsAsCardsClasses } from './table-row.tsx'
import { moveRowFocusByKey } from './table-row-keyboard.ts'

type ColumnHeader = {
  label: string
  isNumeric?: boolean
  /** the sort key of this column; without it the column is not sortable */
  sortBy?: string
}

type Sorting = {
  /** the sort key of a column, with a leading "-" for descending; '' for the default order */
  by: string
  onSort: (by: string) => void
  /** label of the default order; "As added" if omitted */
  unsortedLabel?: string
}

type TableProps = {
  caption: string
  columns: ColumnHeader[]
  /** makes the headers of columns with a `sortBy` buttons */
  sorting?: Sorting
  /** no maximum height, for tables whose last rows matter most */
  fullHeight?: boolean
  /** the scroll container */
  ref?: Ref<HTMLDivElement>
  /** rows: `<Row><Cell label="Name" isRowHeader>...</Cell><Cell label="Price" isNumeric>...</Cell></Row>` */
  children: ReactNode
}

/**
 * A dense table with sticky header and first column. In a narrow container each row is a card, with the `label` before each value.
 * Browsers drop table semantics for elements with another `display`, so the roles are explicit.
 */
export function Table({ caption, columns, sorting, fullHeight = false, ref, children }: TableProps) {
  const id = useId()
  return (
    <div className="@container">
      {sorting && <SortSelect head={columns} sorting={sorting} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a named scroll container, not a section of the page */}
      <div
        ref={ref}
        role="region"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveRowFocusByKey}
        className={`${fullHeight ? '' : '@3xl:max-h-[80dvh]'} @3xl:scroll-pt-24 @3xl:overflow-auto @3xl:rounded @3xl:border @3xl:border-line @3xl:bg-panel`}
      >
        <table role="table" className="w-full border-separate border-spacing-0 text-sm @max-3xl:block">
          <caption id={id} className="px-3 py-3 text-left text-lg font-semibold @max-3xl:block @max-3xl:px-0">
            {caption}
          </caption>
          <thead role="rowgroup" className="@max-3xl:sr-only">
            <tr role="row">
              {columns.map(({ label, isNumeric, sortBy }) => (
                <th
                  key={label}
                  role="columnheader"
                  scope="col"
                  aria-sort={sorting && sortBy ? ariaSort(sorting, sortBy) : undefined}
                  className={`sticky top-0 z-20 border-y border-line bg-tint px-3 py-2 align-bottom font-semibold first:left-0 first:z-30 ${closeGapClasses} ${isNumeric ? 'text-right' : 'text-left'}`}
                >
                  {sorting && sortBy ? <SortableHeader label={label} isNumeric={isNumeric} sortBy={sortBy} sorting={sorting} /> : label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className={rowsAsCardsClasses}>
            {children}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/**
 * A column may end on a fraction of a pixel, and a sticky cell is drawn on whole ones: between two of them the table below would show
 * through. Each heading but the last is continued by one pixel.
 */
const closeGapClasses =
  "not-last:after:absolute not-last:after:-inset-y-px not-last:after:left-full not-last:after:w-px not-last:after:border-y not-last:after:border-line not-last:after:bg-tint not-last:after:content-['']"

const ariaSort = ({ by }: Sorting, sortBy: string) => (by === sortBy ? 'ascending' : by === `-${sortBy}` ? 'descending' : undefined)

/** Clicking cycles through ascending, descending and default order. Cards display no headers, so the button is hidden there. */
function SortableHeader({ label, isNumeric, sortBy, sorting }: ColumnHeader & { sortBy: string; sorting: Sorting }) {
  const current = ariaSort(sorting, sortBy)
  const next = current === undefined ? sortBy : current === 'ascending' ? `-${sortBy}` : ''
  return (
    <>
      <span className="@3xl:hidden">{label}</span>
      <button
        type="button"
        onClick={() => sorting.onSort(next)}
        className={`-mx-3 -my-2 flex w-[calc(100%+1.5rem)] items-end gap-1 px-3 py-2 font-semibold hover:text-leaf @max-3xl:hidden ${isNumeric ? 'flex-row-reverse text-right' : 'text-left'}`}
      >
        {label}
        <Icon name={current ?? 'sortable'} className={`size-4 ${current ? '' : 'text-soft'}`} />
      </button>
    </>
  )
}

/** Replaces the sortable headers where the rows are cards. */
function SortSelect({ head, sorting }: { head: ColumnHeader[]; sorting: Sorting }) {
  const id = useId()
  return (
    <div className="mb-3 flex items-center gap-3 @3xl:hidden">
      <label htmlFor={id} className="shrink-0 font-medium">
        Sort by
      </label>
      <select
        id={id}
        value={sorting.by}
        onChange={(event) => sorting.onSort(event.target.value)}
        className="min-h-11 min-w-0 grow rounded border border-edge bg-panel px-3 text-base text-ink sm:max-w-80"
      >
        <option value="">{sorting.unsortedLabel ?? 'As added'}</option>
        {head.flatMap(({ label, sortBy }) =>
          sortBy
            ? [
                <option key={sortBy} value={sortBy}>
                  {label}, ascending
                </option>,
                <option key={`-${sortBy}`} value={`-${sortBy}`}>
                  {label}, descending
                </option>,
              ]
            : [],
        )}
      </select>
    </div>
  )
}
