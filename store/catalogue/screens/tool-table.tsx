// biome-ignore-all lint/a11y/noRedundantRoles: displayed as cards on phones, a table keeps its meaning by written roles only
import { useId } from 'react'
import { Link } from 'react-router'
import type { Facet } from '#store/catalogue/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { Dollars, GroupedDigits } from '#web/money.tsx'
import { Cell, Row, rowsAsCards } from '#web/row.tsx'
import { moveByKey } from '#web/rows-by-key.ts'
import { addressWith, isAttribute, knownText } from './browsing.ts'
import { CompareTick } from './compare-tick.tsx'
import { MakerAndNumber } from './maker-and-number.tsx'
import type { PartOnShelf } from './on-shelf.ts'

/** So many attributes have room beside what every part has. */
const mostAttributes = 4

type ToolTableProps = { tools: PartOnShelf[]; facets: Facet[]; search: URLSearchParams; caption: string }

/** What was found as dense rows, for those who buy by the figures. A head sorts by its column, and is a link: it works without a script, and Back takes it back. */
export function ToolTable({ tools, facets, search, caption }: ToolTableProps) {
  const id = useId()
  const attributes = facets.filter(isAttribute).slice(0, mostAttributes)
  const sort = search.get('sort') ?? ''
  const head = (label: string, sortBy?: string, figures = false) => (
    <Head label={label} sortBy={sortBy} figures={figures} sort={sort} search={search} />
  )
  return (
    <div className="@container">
      {/* biome-ignore lint/a11y/useSemanticElements: a scrolling box is a region by its name, not a section of the page */}
      <div
        role="region"
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveByKey}
        className="relative @3xl:overflow-x-auto @3xl:rounded @3xl:border @3xl:border-line @3xl:bg-panel"
      >
        <table role="table" className="w-full border-separate border-spacing-0 text-sm @max-3xl:block">
          <caption id={id} className="sr-only">
            {caption}
          </caption>
          <thead role="rowgroup" className="@max-3xl:sr-only">
            <tr role="row">
              {head('Part', 'name')}
              {attributes.map((facet) => {
                const label = facet.kind === 'number' && facet.unit ? `${facet.label}, ${facet.unit}` : facet.label
                return (
                  <Head
                    key={facet.key}
                    label={label}
                    sortBy={facet.kind === 'number' ? facet.key : undefined}
                    figures={facet.kind === 'number'}
                    sort={sort}
                    search={search}
                  />
                )
              })}
              {head('Price', 'price', true)}
              {head('Minimum', 'minimum', true)}
              {head('Stock', 'available', true)}
              {head('Buy')}
              {head('Compare')}
            </tr>
          </thead>
          <tbody role="rowgroup" className={rowsAsCards}>
            {tools.map((tool) => (
              <ToolRow key={tool._id} tool={tool} attributes={attributes} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type HeadProps = { label: string; sortBy: string | undefined; figures: boolean; sort: string; search: URLSearchParams }

function Head({ label, sortBy, figures, sort, search }: HeadProps) {
  const now = sortBy === undefined ? undefined : sort === sortBy ? 'ascending' : sort === `-${sortBy}` ? 'descending' : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={now}
      className={`border-b border-line bg-tint px-1.5 py-1.5 align-bottom font-semibold first:sticky first:left-0 first:z-20 first:pl-3 ${figures ? 'text-right' : 'text-left'}`}
    >
      {sortBy ? (
        <Link
          to={addressWith(search, { sort: now === 'ascending' ? `-${sortBy}` : sortBy })}
          preventScrollReset
          className={`flex min-h-6 items-end gap-0.5 hover:text-leaf ${figures ? 'flex-row-reverse' : ''}`}
        >
          {label}
          <Icon name={now ?? 'sortable'} className={`size-4 ${now ? '' : 'text-soft'}`} />
        </Link>
      ) : (
        label
      )}
    </th>
  )
}

const tight = '@3xl:px-1.5 @3xl:py-1'

function ToolRow({ tool, attributes }: { tool: PartOnShelf; attributes: Facet[] }) {
  return (
    <Row>
      <Cell label="Part" head className="@3xl:min-w-52 @3xl:py-1 @max-3xl:before:hidden @max-3xl:*:text-left">
        <Link
          to={`/products/${tool._id}`}
          prefetch="intent"
          className="underline decoration-edge underline-offset-2 hover:text-leaf @3xl:line-clamp-2"
        >
          {tool.name}
        </Link>
        <MakerAndNumber tool={tool} className="font-normal" />
      </Cell>
      {attributes.map((facet) => {
        const text = knownText(tool, facet)
        const isFigure = facet.kind === 'number'
        return (
          <Cell key={facet.key} label={facet.label} figures={isFigure} className={tight}>
            {text === undefined ? (
              <span className="text-soft">not known</span>
            ) : isFigure && facet.unit ? (
              <Measured text={text} unit={facet.unit} />
            ) : (
              text
            )}
          </Cell>
        )
      })}
      <Cell label="Price" figures className={`${tight} font-semibold`}>
        <Dollars amount={tool.price} />
      </Cell>
      <Cell label="Minimum" figures className={tight}>
        <GroupedDigits number={tool.minimum_order_quantity} />
      </Cell>
      <Cell label="Stock" figures className={tight}>
        <GroupedDigits number={tool.available_quantity} />
        {!tool.inStock && <span className="font-sans font-semibold text-bad @3xl:block @3xl:text-wrap @max-3xl:ml-2">Out of stock</span>}
      </Cell>
      <Cell label="Buy" className={`${tight} @max-3xl:before:hidden @max-3xl:*:w-full`}>
        <ButtonLink
          dense
          look={tool.inStock ? 'offer' : 'quiet'}
          to={`/purchase/${tool._id}`}
          aria-label={`Buy Now, ${tool.name}`}
          className="@max-3xl:w-full"
        >
          Buy Now
        </ButtonLink>
      </Cell>
      <Cell label="Compare" className={tight}>
        <CompareTick part={tool} wordless />
      </Cell>
    </Row>
  )
}

/** On cards, which have no head to say it, the unit stands beside its figure. */
const Measured = ({ text, unit }: { text: string; unit: string }) => (
  <>
    {text}
    <span className="@3xl:hidden"> {unit}</span>
  </>
)
