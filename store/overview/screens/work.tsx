import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { levelWords, stockLevels } from '#store/catalogue/screens/stock-levels.ts'
import { inFigures } from '#store/in-figures.ts'
import { attentionWords } from '#store/orders/screens/order-lists.ts'
import { standingOf } from '#store/orders/screens/order-status.tsx'
import { type Attention, showAttention } from '#store/overview/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Icon, type IconName } from '#web/icon.tsx'
import { Dollars } from '#web/money.tsx'
import { send } from '#web/send.ts'
import { Blank } from '#web/skeleton.tsx'
import { ordersOfKind, productsOfKind } from './lists.ts'
import { Part } from './part.tsx'
import { useAnswer } from './use-answer.ts'

type Line = {
  count: number
  /** what they cost together, in whole dollars */
  cost?: number
  words: string
  hint: string
  to: string
  /** does not wait until tomorrow */
  urgent?: boolean
}

const linesOf = (found: Attention): Record<'orders' | 'products' | 'byItself', Line[]> => {
  const line = ({ orders, cost }: { orders: number; cost: number }) => ({ count: orders, cost })
  return {
    orders: [
      {
        ...line(found.holdEndsToday),
        words: 'Unpaid, hold ends today',
        hint: 'Then their pieces go back into stock',
        to: ordersOfKind(attentionWords('hold ends today')),
        urgent: true,
      },
      {
        count: found.toBeLookedAt.orders,
        words: 'Something went wrong',
        hint: 'A failed refund or a disputed payment',
        to: ordersOfKind(attentionWords('to be looked at')),
        urgent: true,
      },
      {
        ...line(found.cardDeclined),
        words: 'Unpaid, a card was declined',
        hint: 'The buyer has tried to pay',
        to: ordersOfKind(attentionWords('card declined')),
      },
      {
        ...line(found.unpaid),
        words: 'Not paid yet, in all',
        hint: 'They hold their pieces meanwhile',
        to: ordersOfKind(standingOf({ state: 'open', checking: false })),
      },
    ],
    products: [
      {
        count: found.outOfStock,
        words: stockLevels.out,
        hint: sentence(levelWords.out),
        to: productsOfKind(stockLevels.out),
        urgent: true,
      },
      {
        count: found.lowOnStock,
        words: stockLevels.low,
        hint: `${sentence(levelWords.low)}: time to get more`,
        to: productsOfKind(stockLevels.low),
      },
    ],
    byItself: [
      {
        ...line(found.checking),
        words: 'Payments being checked',
        hint: 'The card provider is asked every minute',
        to: ordersOfKind(standingOf({ state: 'open', checking: true })),
      },
      {
        count: found.refundUnderWay.orders,
        words: 'Refunds under way',
        hint: 'The card provider is asked until it answers',
        to: ordersOfKind(attentionWords('refund under way')),
      },
    ],
  }
}

const ask = () => send(showAttention, {})

/** What needs an admin today, each figure the way to its list. */
export function Work() {
  const asked = useAnswer(ask, '')
  return (
    <Part title="What needs you" asked={asked} skeleton={<Skeleton />}>
      {(found) => (found.products === 0 ? <EmptyShop lines={linesOf(found).orders} /> : <Lists {...linesOf(found)} />)}
    </Part>
  )
}

function Lists({ orders, products, byItself }: Record<'orders' | 'products' | 'byItself', Line[]>) {
  return (
    <Columns
      left={<List title="Orders" lines={orders} />}
      right={
        <>
          <List title="Products" lines={products} />
          <List title="Under way by itself" lines={byItself} />
        </>
      }
    />
  )
}

const Columns = ({ left, right }: { left: ReactNode; right: ReactNode }) => (
  <div className="grid gap-x-8 gap-y-6 xl:grid-cols-2">
    <div>{left}</div>
    <div className="flex flex-col gap-6">{right}</div>
  </div>
)

function List({ title, lines }: { title: string; lines: Line[] }) {
  return (
    <div>
      <h3 className="text-sm font-semibold text-soft">{title}</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line border-y border-line">
        {lines.map((line) => (
          <li key={line.words}>
            <OneLine {...line} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const lineShape = 'flex min-h-14 items-center gap-3 py-1.5'
const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function OneLine({ count, cost, words, hint, to, urgent = false }: Line) {
  if (count === 0)
    return (
      <div className={`${lineShape} text-soft`}>
        <Figure icon="check">0</Figure>
        <span>{words}</span>
      </div>
    )
  return (
    <Link to={to} prefetch="intent" className={`group ${lineShape} hover:bg-tint`}>
      <Figure icon={urgent ? 'warning' : undefined} className={urgent ? 'font-semibold text-bad' : 'font-semibold'}>
        {inFigures(count)}
      </Figure>
      <span className="flex min-w-0 grow items-center justify-between gap-x-3 max-sm:flex-col max-sm:items-start">
        <span>
          <span className="font-medium underline underline-offset-2 group-hover:text-leaf">{words}</span>
          <span className="block text-sm text-soft">{hint}</span>
        </span>
        {cost !== undefined && <Dollars amount={cost} className="text-sm" />}
      </span>
      <Icon name="next" className="size-4 text-soft" />
    </Link>
  )
}

function Figure({ icon, className = '', children }: { icon: IconName | undefined; className?: string; children: ReactNode }) {
  return (
    <span className={`flex min-w-20 shrink-0 items-center justify-end gap-1 text-xl sm:min-w-24 ${className}`}>
      {icon && <Icon name={icon} className="size-4" />}
      <span className="figures whitespace-nowrap">{children}</span>
    </span>
  )
}

/** The same lines before they are here. */
function Skeleton() {
  const lines = (heading: string, count: number) => (
    <div key={heading}>
      <Blank className="h-5 w-24" />
      <ul className="mt-1 flex flex-col divide-y divide-line border-y border-line">
        {Array.from({ length: count }, (_, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blank lines are all alike
          <li key={nth} className={lineShape}>
            <Blank className="h-8 w-full" />
          </li>
        ))}
      </ul>
    </div>
  )
  return (
    <div aria-hidden="true">
      <Columns
        left={lines('orders', 4)}
        right={
          <>
            {lines('products', 2)}
            {lines('by itself', 2)}
          </>
        }
      />
    </div>
  )
}

/** A shop that sells nothing yet: what to do first. Orders of products that are gone may still want something. */
function EmptyShop({ lines }: { lines: Line[] }) {
  const waiting = lines.filter(({ count }) => count > 0)
  return (
    <>
      <Empty
        scene="no-products"
        title="Your shop has nothing to sell yet"
        heading="h3"
        actions={
          <>
            <ButtonLink to="/dashboard/addatool">Add a New Product</ButtonLink>
            <ButtonLink look="quiet" to="/dashboard/import">
              Import a file of products
            </ButtonLink>
            <ButtonLink look="quiet" to="/home">
              See the store as customers do
            </ButtonLink>
          </>
        }
      >
        Begin with one product, or bring many at once from a file. Buyers see them at once.
      </Empty>
      {waiting.length > 0 && <List title="Orders" lines={waiting} />}
    </>
  )
}
