import { useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import type { Cart, CartLine } from '#store/cart/contract.ts'
import { Notice } from '#web/notice.tsx'

/** What has changed in the basket since the form was opened, such as in another tab. */
export function useBasketChanges({ lines }: Cart): string[] {
  const [said, say] = useState({ lines, changes: [] as string[] })
  const changes = said.lines === lines ? [] : describeChanges(said.lines, lines)
  if (changes.length > 0) say({ lines, changes })
  return said.changes
}

export const ChangedBasket = ({ changes }: { changes: string[] }) =>
  changes.length > 0 && (
    <Notice kind="warning" title="Your basket has changed">
      <ChangeList changes={changes} />
    </Notice>
  )

/** Why the total is another one and what to do, beside the button that was pressed: the lines stand far above it on a phone. */
export function ChangedTotal({ totalCents, cart, changes = [] }: { totalCents: number | undefined; cart: Cart; changes?: string[] }) {
  const told = cart.lines.flatMap(({ productName, notices }) => notices.map(({ message }) => `${productName}: ${message}`))
  return (
    <>
      <ChangeList changes={[...new Set([...changes, ...told])]} />
      <p>
        Nothing was ordered, and what you typed is kept.{' '}
        {totalCents === undefined ? 'The total has changed.' : `The total is now ${formatCents(totalCents)}.`} Order again if you agree.
      </p>
    </>
  )
}

const ChangeList = ({ changes }: { changes: string[] }) =>
  changes.length > 0 && (
    <ul className="list-inside list-disc">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  )

function describeChanges(before: CartLine[], now: CartLine[]): string[] {
  const added = now.filter(({ productId }) => !before.some((line) => line.productId === productId))
  const other = before.flatMap(({ productId, productName, quantity }) => {
    const line = now.find((one) => one.productId === productId)
    if (!line) return [`${productName} was taken out`]
    return line.quantity === quantity ? [] : [`${productName}: ${formatNumber(line.quantity)} instead of ${formatNumber(quantity)}`]
  })
  return [...other, ...added.map(({ productName, quantity }) => `${formatNumber(quantity)} x ${productName} was added`)]
}
