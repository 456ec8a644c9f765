import { formatNumber } from '#shared/format-number.ts'
import type { Cart, CartLine } from '#store/cart/contract.ts'
import type { CheckoutEstimate } from '#store/checkout/contract.ts'
import { Icon } from '#web/icon.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CostBreakdown } from './cost-breakdown.tsx'

type OrderedLinesProps = { cart: Cart; estimate: CheckoutEstimate | undefined; isStale: boolean }

/** What is ordered, folded away on a phone, and what it costs. */
export function OrderedLines({ cart, estimate, isStale }: OrderedLinesProps) {
  const { lines, totals } = cart
  return (
    <Panel variant="raised" className="flex flex-col gap-3">
      <details open={globalThis.matchMedia?.('(min-width: 64rem)').matches || undefined}>
        <summary className="min-h-6 cursor-pointer font-semibold">
          {formatNumber(lines.length)} {lines.length === 1 ? 'product' : 'products'}
        </summary>
        <ul className="mt-2 flex max-h-80 flex-col overflow-y-auto">
          {lines.map((line) => (
            <OrderedLine key={line.productId} line={line} />
          ))}
        </ul>
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
