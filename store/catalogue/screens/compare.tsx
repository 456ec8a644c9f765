import { useLocation } from 'react-router'
import { type Comparison, compareProducts } from '#store/catalogue/compare-contract.ts'
import { maxComparedProducts } from '#store/constants.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { ButtonLink } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { Illustration } from '#web/illustration.tsx'
import { Link } from '#web/link.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import type { Route } from './+types/compare'
import { AddToCartButton } from './add-to-cart-button.tsx'
import { BrandAndPartNumber } from './brand-and-part-number.tsx'
import { BuyNow } from './buy-now.tsx'
import { compareUrl, removeFromComparison } from './compared-products.ts'
import { findProductDataNotices } from './data-notices.ts'
import { Notices } from './notices.tsx'
import { orderFigureRows } from './order-figure-rows.ts'
import { OwnPrice } from './own-price.tsx'
import { PriceNote, PrintedSource, printedDay } from './price-note.tsx'
import { ProductImage } from './product-image.tsx'
import { type ProductDetailsWithOrderFigures, withOrderFigures } from './with-order-figures.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const id = [...new Set(new URL(request.url).searchParams.getAll('id').filter((one) => one !== ''))]
  if (id.length === 0) return nothing()
  try {
    const { parts, span, rows } = await context.get(apiCallerContext)(compareProducts, { querystring: { id } })
    return {
      parts: parts.map(withOrderFigures),
      span,
      rows: [...orderFigureRows(parts), ...rows],
      notices: findProductDataNotices(parts),
      day: printedDay(),
      refused: undefined,
    }
  } catch (refusal) {
    if (!(refusal instanceof ApiError) || refusal.isOutcomeUnknown) throw refusal
    return nothing(id.length > maxComparedProducts ? `Up to ${maxComparedProducts} parts are compared at once.` : refusal.message)
  }
}

const nothing = (refused?: string) => ({ parts: [], span: null, rows: [], notices: [], day: '', refused })

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Compare ${loaderData?.parts.map(({ name }) => name).join(', ') || 'parts'} | Nucleus of PC` },
  {
    name: 'description',
    content: 'Parts side by side: price, stock and every attribute, what differs and which value is best, drawn on one scale.',
  },
  { name: 'robots', content: 'noindex,follow' },
]

export default function Compare({ loaderData: { parts, span, rows, notices, day, refused } }: Route.ComponentProps) {
  const [first] = parts
  const onlyDifferences = new URLSearchParams(useLocation().search).get('rows') === 'differences'
  if (!first) return <NothingToCompare refused={refused} />
  const ids = parts.map(({ _id }) => _id)
  const shown = onlyDifferences ? rows.filter(({ differs }) => differs) : rows

  return (
    <Page wide title={`Compare ${parts.length === 1 ? 'one part' : `${parts.length} parts`}`}>
      <PrintedSource day={day} />
      <div className="flex flex-wrap items-center gap-3">
        {parts.length > 1 && (
          <ButtonLink
            variant="quiet"
            dense
            to={`${compareUrl(ids)}${onlyDifferences ? '' : '&rows=differences'}`}
            preventScrollReset
            prefetch="none"
          >
            {onlyDifferences ? `Show all ${rows.length} rows` : 'Show only differences'}
          </ButtonLink>
        )}
        {parts.length < maxComparedProducts && (
          <ButtonLink
            variant="quiet"
            dense
            to={first.category ? `/allproducts?${new URLSearchParams({ category: first.category })}` : '/allproducts'}
          >
            {parts.length === 1 ? 'Choose parts to compare it with' : 'Choose another part'}
          </ButtonLink>
        )}
        <p className="flex flex-wrap gap-x-4 text-sm text-soft">
          <span>
            <DiffersMark /> the parts differ
          </span>
          <span>
            <BestMark /> the best value
          </span>
        </p>
      </div>
      <ComparisonTable products={parts} rows={shown} span={span ?? undefined} />
      {span !== null && <p className="text-sm text-soft">The drawings are on one scale.</p>}
      <PriceNote of="Prices" />
      <Notices notices={notices} />
    </Page>
  )
}

type ComparisonRow = Comparison['rows'][number]

/** On a phone two parts stand whole beside their labels; of more the next one is cut, which says that the table scrolls. See the column heads. */
const cellClasses = 'border-b border-line px-2 py-2 text-left align-top sm:px-3'
const rowHeaderClasses = 'sticky left-0 z-10 bg-panel print:static'
/** What the labels leave, in equal parts, by the number of products. */
const columnWidths = ['', 'sm:w-[84%]', 'sm:w-[42%]', 'sm:w-[28%]', 'sm:w-[21%]']
/**
 * The names stay in view above the rows, on a narrow page below its header. Where not all columns fit, by the number of products, the table scrolls both
 * ways in a box of its own: in one that scrolls only sideways they could not stay.
 */
const layouts = {
  all: { box: '', names: 'top-0 max-md:top-14' },
  three: {
    box: 'max-h-[85dvh] overflow-auto @min-[36rem]:max-h-none @min-[36rem]:overflow-visible',
    names: 'top-0 @min-[36rem]:max-md:top-14',
  },
  four: { box: 'max-h-[85dvh] overflow-auto @min-[45rem]:max-h-none @min-[45rem]:overflow-visible', names: 'top-0' },
}
const layoutOf = (count: number) => (count <= 2 ? layouts.all : count === 3 ? layouts.three : layouts.four)

type ComparisonTableProps = {
  products: ProductDetailsWithOrderFigures[]
  rows: ComparisonRow[]
  /** mm that each drawing shows in its width */
  span: number | undefined
}

function ComparisonTable({ products, rows, span }: ComparisonTableProps) {
  const ids = products.map(({ _id }) => _id)
  return (
    <div className="@container">
      <Panel
        padding="none"
        role="region"
        aria-label="Parts side by side"
        tabIndex={0} // scrollable content must be reachable by keyboard
        className={`relative scroll-pt-16 scroll-pl-28 sm:scroll-pl-36 ${layoutOf(products.length).box} print:max-h-none print:overflow-visible`}
      >
        <table className="w-full border-separate border-spacing-0 text-sm print:table-fixed">
          <caption className="sr-only">Parts side by side, an attribute in each row</caption>
          <thead>
            <Drawings products={products} span={span} />
            <Names products={products} />
            <tr>
              <th scope="row" className={`${cellClasses} ${rowHeaderClasses}`}>
                <span className="sr-only">Order</span>
              </th>
              {products.map((part) => (
                <td key={part._id} className={`${cellClasses} wrap-anywhere`}>
                  <OrderLinks part={part} otherIds={ids.filter((id) => id !== part._id)} />
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <AttributeRow key={row.key} row={row} ids={ids} />
            ))}
            {rows.length === 0 && (
              <tr>
                <td colSpan={products.length + 1} className="px-3 py-4">
                  In all that is known these parts are the same.
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </Panel>
    </div>
  )
}

const Drawings = ({ products, span }: Pick<ComparisonTableProps, 'products' | 'span'>) => (
  <tr>
    <th scope="row" className={`${rowHeaderClasses} min-w-22 sm:min-w-36 print:min-w-0`}>
      <span className="sr-only">Drawing</span>
    </th>
    {products.map((part) => (
      <td key={part._id} className="px-2 pt-2 sm:px-3">
        <ProductImage product={part} drawing={span ? `span=${span}` : undefined} isAboveFold className="aspect-3/2 w-full max-w-60 p-0!" />
      </td>
    ))}
  </tr>
)

function Names({ products }: Pick<ComparisonTableProps, 'products'>) {
  const namesClasses = `sticky ${layoutOf(products.length).names} border-b border-line bg-panel print:static`
  return (
    <tr>
      <td className={`${namesClasses} left-0 z-25`} />
      {products.map(({ _id, name }) => (
        <th
          key={_id}
          scope="col"
          className={`${namesClasses} z-20 ${products.length > 2 ? 'min-w-27' : 'min-w-22'} px-2 py-2 text-left align-top font-normal wrap-anywhere max-sm:w-[38%] ${columnWidths[products.length]} sm:min-w-36 sm:px-3 print:min-w-0`}
        >
          <Link
            to={`/products/${_id}`}
            prefetch="intent"
            className="line-clamp-5 font-semibold underline decoration-edge underline-offset-2 hover:text-leaf print:line-clamp-none"
          >
            {name}
          </Link>
        </th>
      ))}
    </tr>
  )
}

type OrderLinksProps = { part: ProductDetailsWithOrderFigures; otherIds: string[] }

function OrderLinks({ part, otherIds }: OrderLinksProps) {
  return (
    <>
      <BrandAndPartNumber product={part} />
      <OwnPrice product={part} />
      {!part.inStock && <StatusBadge kind="bad">Out of stock</StatusBadge>}
      <span className="mt-2 flex flex-wrap items-center gap-2 print:hidden">
        <BuyNow product={part} dense />
        {part.inStock && <AddToCartButton product={part} />}
        <ButtonLink
          dense
          variant="quiet"
          to={otherIds.length > 0 ? compareUrl(otherIds) : '/compare'}
          aria-label={`Remove, ${part.name}`}
          onClick={() => removeFromComparison(part._id)}
          prefetch="none"
        >
          Remove
        </ButtonLink>
      </span>
    </>
  )
}

/** @param ids of the products, in the order of the row's texts */
function AttributeRow({ row: { label, texts, differs, best }, ids }: { row: ComparisonRow; ids: string[] }) {
  return (
    <tr>
      <th scope="row" className={`${cellClasses} ${rowHeaderClasses} font-medium`}>
        {label}
        {differs && (
          <>
            {' '}
            <DiffersMark />
            <span className="sr-only">, differs</span>
          </>
        )}
      </th>
      {texts.map((text, place) => (
        <td
          key={ids[place]}
          className={`${cellClasses} figures wrap-anywhere ${differs ? 'bg-tint' : ''} ${differs && best.includes(place) ? 'font-semibold' : ''}`}
        >
          {text ?? <span className="font-sans text-soft">Not known</span>}
          {differs && best.includes(place) && (
            <span className="ml-1.5 font-sans text-good">
              <BestMark /> <span className="sr-only">best</span>
            </span>
          )}
        </td>
      ))}
    </tr>
  )
}

const DiffersMark = () => (
  <span aria-hidden="true" className="figures font-semibold text-soft">
    ≠
  </span>
)

const BestMark = () => <Icon name="success" className="inline size-4 text-good" />

function NothingToCompare({ refused }: { refused: string | undefined }) {
  return (
    <Page title="Compare parts">
      {refused !== undefined && (
        <Notice kind="error" title="These parts cannot be compared">
          {refused}
        </Notice>
      )}
      <Illustration name="nothing-to-compare" />
      <p>
        Tick "Compare" on two to {maxComparedProducts} parts of one category, then press "Compare" at the lower edge: they stand here side
        by side, with what differs marked. The address of that page can be shared.
      </p>
      <ButtonLink to="/allproducts" className="self-start">
        Choose parts
      </ButtonLink>
    </Page>
  )
}
