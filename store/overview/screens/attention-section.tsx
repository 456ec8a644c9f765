import type { ReactNode } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { stockLevelDescriptions, stockLevelLabels } from '#store/catalogue/screens/stock-levels.ts'
import { type AttentionCounts, showAttention } from '#store/overview/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Icon, type IconName } from '#web/icon.tsx'
import { Link } from '#web/link.tsx'
import { Amount } from '#web/money.tsx'
import { SkeletonBlock } from '#web/skeleton.tsx'
import { ordersUrlFilteredBy, productsByStockUrl } from './list-urls.ts'
import { OverviewSection } from './overview-section.tsx'
import { useApiQuery } from './use-api-query.ts'

type AttentionLine = {
  count: number
  /** total cost in the store's currency, e.g. 12.35 */
  cost?: number
  label: string
  hint: string
  to: string
  /** to be handled today */
  isUrgent?: boolean
}

const ordersAndCost = ({ orders, cost }: { orders: number; cost: number }) => ({ count: orders, cost })

const orderLines = (counts: AttentionCounts): AttentionLine[] => [
  { count: counts.toSend, label: 'To be sent', hint: 'Paid or on account, and waiting to be packed', to: '/dashboard/tosend' },
  { count: counts.openReturns, label: 'Open returns', hint: 'To be received and decided', to: '/dashboard/returns' },
  {
    ...ordersAndCost(counts.holdEndsToday),
    label: 'Unpaid, hold ends today',
    hint: 'Then their pieces go back into stock',
    to: ordersUrlFilteredBy({ attention: 'hold ends today' }),
    isUrgent: true,
  },
  {
    count: counts.toBeLookedAt.orders,
    label: 'Something went wrong',
    hint: 'A failed refund or a disputed payment',
    to: ordersUrlFilteredBy({ attention: 'to be looked at' }),
    isUrgent: true,
  },
  {
    ...ordersAndCost(counts.cardDeclined),
    label: 'Unpaid, a card was declined',
    hint: 'The buyer has tried to pay',
    to: ordersUrlFilteredBy({ attention: 'card declined' }),
  },
  {
    ...ordersAndCost(counts.unpaid),
    label: 'Not paid yet, in all',
    hint: 'They hold their pieces meanwhile',
    to: ordersUrlFilteredBy({ status: 'open' }),
  },
  ...moneyLines(counts).filter(({ count }) => count > 0),
]

/** Of what not every shop does. */
const moneyLines = (counts: AttentionCounts): AttentionLine[] => [
  { count: counts.bankEntries, label: 'Money to be assigned', hint: 'It came by transfer, and is of no order yet', to: '/dashboard/bank' },
  {
    count: counts.refundsToTransfer,
    label: 'Refunds to be transferred',
    hint: 'The buyers wait for them',
    to: '/dashboard/bank',
    isUrgent: true,
  },
  { count: counts.overdueInvoices, label: 'Overdue invoices', hint: 'Of companies that pay on account', to: '/dashboard/receivables' },
  {
    count: counts.invoicesWithoutVatId,
    label: 'Invoices without your VAT id',
    hint: 'Reverse charge needs it: say it, and correct them',
    to: '/dashboard/seller',
    isUrgent: true,
  },
]

const productLines = (counts: AttentionCounts): AttentionLine[] => [
  {
    count: counts.outOfStock,
    label: stockLevelLabels.out,
    hint: capitalize(stockLevelDescriptions.out),
    to: productsByStockUrl('out'),
    isUrgent: true,
  },
  {
    count: counts.lowOnStock,
    label: stockLevelLabels.low,
    hint: `${capitalize(stockLevelDescriptions.low)}: time to get more`,
    to: productsByStockUrl('low'),
  },
]

const linesByItself = (counts: AttentionCounts): AttentionLine[] => [
  {
    ...ordersAndCost(counts.checking),
    label: 'Payments being checked',
    hint: 'The card provider is asked every minute',
    to: ordersUrlFilteredBy({ status: 'checking' }),
  },
  {
    count: counts.refundUnderWay.orders,
    label: 'Refunds under way',
    hint: 'The card provider is asked until it answers',
    to: ordersUrlFilteredBy({ attention: 'refund under way' }),
  },
]

const loadAttention = () => callApi(showAttention, {})

/** What needs an admin's attention. Each count links to the filtered list. */
export function AttentionSection() {
  const query = useApiQuery(loadAttention, '')
  return (
    <OverviewSection title="What needs you" query={query} skeleton={<Skeleton />}>
      {(counts) => (counts.products === 0 ? <EmptyShop lines={orderLines(counts)} /> : <AttentionLists counts={counts} />)}
    </OverviewSection>
  )
}

function AttentionLists({ counts }: { counts: AttentionCounts }) {
  return (
    <TwoColumns
      left={<AttentionList title="Orders" lines={orderLines(counts)} />}
      right={
        <>
          <AttentionList title="Products" lines={productLines(counts)} />
          <AttentionList title="Under way by itself" lines={linesByItself(counts)} />
        </>
      }
    />
  )
}

const TwoColumns = ({ left, right }: { left: ReactNode; right: ReactNode }) => (
  <div className="grid gap-x-8 gap-y-6 xl:grid-cols-2">
    <div>{left}</div>
    <div className="flex flex-col gap-6">{right}</div>
  </div>
)

function AttentionList({ title, lines }: { title: string; lines: AttentionLine[] }) {
  return (
    <div>
      <h3 className="text-sm font-semibold text-soft">{title}</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line border-y border-line">
        {lines.map((line) => (
          <li key={line.label}>
            <AttentionRow {...line} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const lineClasses = 'flex min-h-14 items-center gap-3 py-1.5'
const capitalize = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function AttentionRow({ count, cost, label, hint, to, isUrgent = false }: AttentionLine) {
  if (count === 0)
    return (
      <div className={`${lineClasses} text-soft`}>
        <CountFigure icon="check">0</CountFigure>
        <span>{label}</span>
      </div>
    )
  return (
    <Link to={to} prefetch="intent" className={`group ${lineClasses} hover:bg-tint`}>
      <CountFigure icon={isUrgent ? 'warning' : undefined} className={isUrgent ? 'font-semibold text-bad' : 'font-semibold'}>
        {formatNumber(count)}
      </CountFigure>
      <span className="flex min-w-0 grow items-center justify-between gap-x-3 max-sm:flex-col max-sm:items-start">
        <span>
          <span className="font-medium underline underline-offset-2 group-hover:text-leaf">{label}</span>
          <span className="block text-sm text-soft">{hint}</span>
        </span>
        {cost !== undefined && <Amount value={cost} className="text-sm" />}
      </span>
      <Icon name="next" className="size-4 text-soft" />
    </Link>
  )
}

function CountFigure({ icon, className = '', children }: { icon: IconName | undefined; className?: string; children: ReactNode }) {
  return (
    <span className={`flex min-w-20 shrink-0 items-center justify-end gap-1 text-xl sm:min-w-24 ${className}`}>
      {icon && <Icon name={icon} className="size-4" />}
      <span className="figures whitespace-nowrap">{children}</span>
    </span>
  )
}

/** Placeholder with the same layout. */
function Skeleton() {
  const lines = (heading: string, count: number) => (
    <div key={heading}>
      <SkeletonBlock className="h-5 w-24" />
      <ul className="mt-1 flex flex-col divide-y divide-line border-y border-line">
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical bars without state
          <li key={index} className={lineClasses}>
            <SkeletonBlock className="h-8 w-full" />
          </li>
        ))}
      </ul>
    </div>
  )
  return (
    <div aria-hidden="true">
      <TwoColumns
        left={lines('orders', 6)}
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

/** First steps for a shop without products. Orders of deleted products may still need attention. */
function EmptyShop({ lines }: { lines: AttentionLine[] }) {
  const pendingLines = lines.filter(({ count }) => count > 0)
  return (
    <>
      <EmptyState
        illustration="no-products"
        title="Your shop has nothing to sell yet"
        heading="h3"
        actions={
          <>
            <ButtonLink to="/dashboard/addatool">Add a New Product</ButtonLink>
            <ButtonLink variant="quiet" to="/dashboard/import">
              Import a file of products
            </ButtonLink>
            <ButtonLink variant="quiet" to="/home">
              See the store as customers do
            </ButtonLink>
          </>
        }
      >
        Begin with one product, or bring many at once from a file. Buyers see them at once.
      </EmptyState>
      {pendingLines.length > 0 && <AttentionList title="Orders" lines={pendingLines} />}
    </>
  )
}
