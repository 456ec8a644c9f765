// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import { type ReactNode, type Ref, useId } from 'react'
import { Icon } from './icon.tsx'
import { rowsAsCards } from './row.tsx'
import { moveByKey } from './rows-by-key.ts'

type Head = {
  label: string
  figures?: boolean
  /** the name under which the table is sorted by this column */
  sortBy?: string
}

/** In which order the rows stand: the name of a column, with "-" before it from the highest down; '' for the order in which they come. */
type Sorting = {
  by: string
  onSort: (by: string) => void
  /** what the order in which they come is called; "As added" without it */
  unsorted?: string
}

type TableProps = {
  caption: string
  head: Head[]
  /** makes the heads with a `sortBy` buttons */
  sorting?: Sorting
  /** as high as its rows, where the last ones matter most */
  whole?: boolean
  /** the box in which the table scrolls */
  ref?: Ref<HTMLDivElement>
  /** rows: `<Row><Cell label="Name" head>...</Cell><Cell label="Price" figures>...</Cell></Row>` */
  children: ReactNode
}

/**
 * A dense table with its head and first column in view. Where there is no room for one, each row is a card and `label` stands before its value;
 * browsers drop a table's meaning when it is displayed otherwise, so the roles are written out.
 */
export function Table({ caption, head, sorting, whole = false, ref, children }: TableProps) {
  const id = useId()
  return (
    <div className="@container">
      {sorting && <SortCards head={head} sorting={sorting} />}
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolling box is a region by its name, not a section of the page */}
      <div
        ref={ref}
        role="region"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveByKey}
        className={`${whole ? '' : '@3xl:max-h-[80dvh]'} @3xl:scroll-pt-24 @3xl:overflow-auto @3xl:rounded @3xl:border @3xl:border-line @3xl:bg-panel`}
      >
        <table role="table" className="w-full border-separate border-spacing-0 text-sm @max-3xl:block">
          <caption id={id} className="px-3 py-3 text-left text-lg font-semibold @max-3xl:block @max-3xl:px-0">
            {caption}
          </caption>
          <thead role="rowgroup" className="@max-3xl:sr-only">
            <tr role="row">
              {head.map(({ label, figures, sortBy }) => (
                <th
                  key={label}
                  role="columnheader"
                  scope="col"
                  aria-sort={sorting && sortBy ? sorted(sorting, sortBy) : undefined}
                  className={`sticky top-0 z-20 border-y border-line bg-tint px-3 py-2 align-bottom font-semibold first:left-0 first:z-30 ${figures ? 'text-right' : 'text-left'}`}
                >
                  {sorting && sortBy ? <SortHead label={label} figures={figures} sortBy={sortBy} sorting={sorting} /> : label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup" className={rowsAsCards}>
            {children}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const sorted = ({ by }: Sorting, sortBy: string) => (by === sortBy ? 'ascending' : by === `-${sortBy}` ? 'descending' : undefined)

/** A head to press: from the lowest up, from the highest down, as they come. Cards have no heads, so there it is no button either. */
function SortHead({ label, figures, sortBy, sorting }: Head & { sortBy: string; sorting: Sorting }) {
  const now = sorted(sorting, sortBy)
  const next = now === undefined ? sortBy : now === 'ascending' ? `-${sortBy}` : ''
  return (
    <>
      <span className="@3xl:hidden">{label}</span>
      <button
        type="button"
        onClick={() => sorting.onSort(next)}
        className={`-mx-3 -my-2 flex w-[calc(100%+1.5rem)] items-end gap-1 px-3 py-2 font-semibold hover:text-leaf @max-3xl:hidden ${figures ? 'flex-row-reverse text-right' : 'text-left'}`}
      >
        {label}
        <Icon name={now ?? 'sortable'} className={`size-4 ${now ? '' : 'text-soft'}`} />
      </button>
    </>
  )
}

/** What the heads do, for cards. */
function SortCards({ head, sorting }: { head: Head[]; sorting: Sorting }) {
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
        <option value="">{sorting.unsorted ?? 'As added'}</option>
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
