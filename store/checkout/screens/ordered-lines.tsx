import { formatNumber } from '#shared/format-number.ts'
import type { Cart, CartLine } from '#store/cart/contract.ts'
import type { CheckoutEstimate } from '#store/checkout/contract.ts'
import { Icon } from '#web/icon.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CostBreakdown } from './cost-breakdown.tsx'

type OrderedLinesProps = { cart: Cart; estimate: CheckoutEstimate | undefined; isStale: boolean }

/** A basket of up to this many lines is shown whole, so that what it costs stays in view; of others the rest is behind a line that says how many. */
const maxLines = 8

/** What is ordered, folded away on a phone, and what it costs. */
export function OrderedLines({ cart, estimate, isStale }: OrderedLinesProps) {
  const { lines, totals } = cart
  const [first, more] = lines.length > maxLines ? [lines.slice(0, maxLines - 1), lines.slice(maxLines - 1)] : [lines, []]
  return (
    <Panel variant="raised" className="flex flex-col gap-3">
      <details open={globalThis.matchMedia?.('(min-width: 64rem)').matches || undefined}>
        <summary className="min-h-6 cursor-pointer font-semibold">
          {formatNumber(lines.length)} {lines.length === 1 ? 'product' : 'products'}
        </summary>
        <LineList lines={first} />
        {more.length > 0 && (
          <details>
            <summary className="min-h-6 cursor-pointer text-sm font-semibold">{formatNumber(more.length)} more</summary>
            <LineList lines={more} />
          </details>
        )}
      </details>
      {cart.problem && (
        <p className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {cart.problem}
        </p>
      )}
      <CostBreakdown goodsCents={totals.totalCents} estimate={estimate} isStale={isStale} />
      <p className="text-sm">
        <TextLink to="/cart" prefetch="none">
          Change the basket
        </TextLink>
      </p>
    </Panel>
  )
}

const LineList = ({ lines }: { lines: CartLine[] }) => (
  <ul className="mt-2 flex flex-col">
    {lines.map((line) => (
      <OrderedLine key={line.productId} line={line} />
    ))}
  </ul>
)

function OrderedLine({ line: { quantity, productName, totalCents, notices } }: { line: CartLine }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2 text-sm last:border-b-0">
      <span className="min-w-0 flex-1 basis-40">
        <span className="figures">{formatNumber(quantity)}</span> x {productName}
      </span>
      <MoneyAmount amountCents={totalCents} />
      {notices.map(({ code, message, isBlocking }) => (
        <span key={code} className={`w-full font-medium ${isBlocking ? 'text-bad' : 'text-warn'}`}>
          {message}
        </span>
      ))}
    </li>
  )
}
