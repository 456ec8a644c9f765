import type { ReactNode } from 'react'
import type { Cart } from '#store/cart/contract.ts'
import { PriceNote } from '#store/catalogue/screens/price-note.tsx'
import { Icon } from '#web/icon.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'

/** What the basket costs, and the way on. */
export function CartSummary({ cart: { totals, problem }, children }: { cart: Cart; children?: ReactNode }) {
  return (
    <Panel as="aside" aria-label="Total" variant="raised" className="flex flex-col gap-3 self-start lg:sticky lg:top-4">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        <dt className="text-lg font-semibold">
          {children ? 'Goods' : 'Total'}
          <PriceNote className="text-sm font-normal text-soft" />
        </dt>
        <dd className="text-right text-lg font-semibold">
          <MoneyAmount amountCents={totals.totalCents} />
        </dd>
      </dl>
      {problem && (
        <p role="status" className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {problem}
        </p>
      )}
      {children}
      <p className="text-sm text-soft">
        Nothing is reserved yet: prices and stock are those of now. <TextLink to="/help#delivery">Delivery</TextLink>,{' '}
        <TextLink to="/help#returns">returns</TextLink>
      </p>
    </Panel>
  )
}
