import { Link, useLocation } from 'react-router'
import { type Comparison, compareParts } from '#store/catalogue/contract.ts'
import { mostCompared } from '#store/constants.ts'
import { inFigures } from '#store/in-figures.ts'
import { ButtonLink } from '#web/button.tsx'
import { door } from '#web/door.ts'
import { Icon } from '#web/icon.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Refusal } from '#web/refusal.ts'
import { Scene } from '#web/scene.tsx'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import type { Route } from './+types/compare'
import { addressWith } from './browsing.ts'
import { compareAddress, untick } from './compared.ts'
import { noticesOn } from './data-notices.ts'
import { MakerAndNumber } from './maker-and-number.tsx'
import { Notices } from './notices.tsx'
import { onShelf, type PartOnShelf } from './on-shelf.ts'
import { ToolPicture } from './tool-picture.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const id = [...new Set(new URL(request.url).searchParams.getAll('id').filter((one) => one !== ''))]
  if (id.length === 0) return { parts: [], rows: [], notices: [], refused: undefined }
  try {
    const { parts, rows } = await send(compareParts, { querystring: { id } }, context.get(door))
    return { parts: parts.map(onShelf), rows, notices: noticesOn(parts), refused: undefined }
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status >= 500 || refusal.status === 0) throw refusal
    return {
      parts: [],
      rows: [],
      notices: [],
      refused: id.length > mostCompared ? `Up to ${mostCompared} parts are compared at once.` : refusal.message,
    }
  }
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Compare ${loaderData?.parts.map(({ name }) => name).join(', ') || 'parts'} | Nucleus of PC` },
  { name: 'robots', content: 'noindex,follow' },
]

export default function Compare({ loaderData: { parts, rows, notices, refused } }: Route.ComponentProps) {
  const [first] = parts
  const onlyDifferences = new URLSearchParams(useLocation().search).get('rows') === 'differences'
  if (!first) return <NothingToCompare refused={refused} />
  const ids = parts.map(({ _id }) => _id)
  const facts = [...figuresOf(parts), ...rows]
  const shown = onlyDifferences ? facts.filter(({ differs }) => differs) : facts

  return (
    <Page wide title={`Compare ${parts.length === 1 ? 'one part' : `${parts.length} parts`}`}>
      <div className="flex flex-wrap items-center gap-3">
        {parts.length > 1 && (
          <ButtonLink
            look="quiet"
            dense
            to={`${compareAddress(ids)}${onlyDifferences ? '' : '&rows=differences'}`}
            preventScrollReset
            prefetch="none"
          >
            {onlyDifferences ? `Show all ${facts.length} rows` : 'Show only differences'}
          </ButtonLink>
        )}
        {parts.length < mostCompared && (
          <ButtonLink look="quiet" dense to={addressWith(new URLSearchParams(), { category: first.category ?? undefined })}>
            {parts.length === 1 ? 'Choose parts to compare it with' : 'Choose another part'}
          </ButtonLink>
        )}
        <p className="flex flex-wrap gap-x-4 text-sm text-soft">
          <span>
            <Differs /> the parts differ
          </span>
          <span>
            <Best /> the best value
          </span>
        </p>
      </div>
      <SideBySide parts={parts} rows={shown} />
      <Notices notices={notices} />
    </Page>
  )
}

type Fact = Comparison['rows'][number]

/** What every part has. Less to pay and less to take at once is better; more on the shelf is. */
function figuresOf(parts: PartOnShelf[]): Fact[] {
  const row = (key: string, label: string, figures: number[], best: number, say = inFigures): Fact => {
    const differs = new Set(figures).size > 1
    return {
      key,
      label,
      texts: figures.map(say),
      differs,
      best: differs ? figures.flatMap((figure, place) => (figure === best ? [place] : [])) : [],
    }
  }
  const [prices, minimums, stocks] = [
    parts.map(({ price }) => price),
    parts.map(({ minimum_order_quantity }) => minimum_order_quantity),
    parts.map(({ available_quantity }) => available_quantity),
  ]
  return [
    row('price', 'Price', prices, Math.min(...prices), (figure) => `$${inFigures(figure)}`),
    row('minimum', 'Minimum order', minimums, Math.min(...minimums)),
    row('available', 'Available', stocks, Math.max(...stocks)),
  ]
}

const column = 'border-b border-line px-3 py-2 text-left align-top'
const named = 'sticky left-0 z-10 bg-panel'

function SideBySide({ parts, rows }: { parts: PartOnShelf[]; rows: Fact[] }) {
  const ids = parts.map(({ _id }) => _id)
  return (
    <Panel
      room="none"
      role="region"
      aria-label="Parts side by side"
      tabIndex={0} // what scrolls has to be reachable by keyboard
      className="relative scroll-pl-28 overflow-x-auto sm:scroll-pl-48"
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">Parts side by side, an attribute in each row</caption>
        <thead>
          <tr>
            <td className={`${column} ${named} min-w-26 sm:min-w-44`} />
            {parts.map((part) => (
              <th key={part._id} scope="col" className={`${column} w-1/4 min-w-44 font-normal`}>
                <ToolPicture tool={part} first className="aspect-2/1 w-full max-w-48" />
                <Link
                  to={`/products/${part._id}`}
                  prefetch="intent"
                  className="mt-2 block font-semibold underline decoration-edge underline-offset-2 hover:text-leaf"
                >
                  {part.name}
                </Link>
                <MakerAndNumber tool={part} />
                {!part.inStock && <Status kind="bad">Out of stock</Status>}
                <span className="mt-2 flex flex-wrap items-center gap-2">
                  <ButtonLink
                    dense
                    look={part.inStock ? 'offer' : 'quiet'}
                    to={`/purchase/${part._id}`}
                    aria-label={`Buy Now, ${part.name}`}
                  >
                    Buy Now
                  </ButtonLink>
                  <ButtonLink
                    dense
                    look="quiet"
                    to={ids.length > 1 ? compareAddress(ids.filter((id) => id !== part._id)) : '/compare'}
                    aria-label={`Remove, ${part.name}`}
                    onClick={() => untick(part._id)}
                    prefetch="none"
                  >
                    Remove
                  </ButtonLink>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, texts, differs, best }) => (
            <tr key={key}>
              <th scope="row" className={`${column} ${named} font-medium`}>
                {label}
                {differs && (
                  <>
                    {' '}
                    <Differs />
                    <span className="sr-only">, differs</span>
                  </>
                )}
              </th>
              {texts.map((text, place) => (
                <td
                  key={ids[place]}
                  className={`${column} figures ${differs ? 'bg-tint' : ''} ${differs && best.includes(place) ? 'font-semibold' : ''}`}
                >
                  {text ?? <span className="font-sans text-soft">Not known</span>}
                  {differs && best.includes(place) && (
                    <span className="ml-1.5 font-sans text-good">
                      <Best /> <span className="sr-only">best</span>
                    </span>
                  )}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={parts.length + 1} className="px-3 py-4">
                In all that is known these parts are the same.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </Panel>
  )
}

const Differs = () => (
  <span aria-hidden="true" className="figures font-semibold text-soft">
    ≠
  </span>
)

const Best = () => <Icon name="success" className="inline size-4 text-good" />

function NothingToCompare({ refused }: { refused: string | undefined }) {
  return (
    <Page title="Compare parts">
      {refused !== undefined && (
        <Notice kind="error" title="These parts cannot be compared">
          {refused}
        </Notice>
      )}
      <Scene name="nothing-to-compare" />
      <p>
        Tick "Compare" on two to {mostCompared} parts of one category, then press "Compare" at the lower edge: they stand here side by side,
        with what differs marked. The address of that page can be shared.
      </p>
      <ButtonLink to="/allproducts" className="self-start">
        Choose parts
      </ButtonLink>
    </Page>
  )
}
