import { useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import type { Cart, CartLine } from '#store/cart/contract.ts'
import { Notice } from '#web/notice.tsx'

/** What has changed in the basket since the form was opened, such as in another tab. */
export function ChangedBasket({ cart: { lines } }: { cart: Cart }) {
  const [said, say] = useState({ lines, changes: [] as string[] })
  const changes = said.lines === lines ? [] : describeChanges(said.lines, lines)
  if (changes.length > 0) say({ lines, changes })
  if (said.changes.length === 0) return null
  return (
    <Notice kind="warning" title="Your basket has changed">
      <ul className="list-inside list-disc">
        {said.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </Notice>
  )
}

function describeChanges(before: CartLine[], now: CartLine[]): string[] {
  const added = now.filter(({ productId }) => !before.some((line) => line.productId === productId))
  const other = before.flatMap(({ productId, productName, quantity }) => {
    const line = now.find((one) => one.productId === productId)
    if (!line) return [`${productName} was taken out`]
    return line.quantity === quantity ? [] : [`${productName}: ${formatNumber(line.quantity)} instead of ${formatNumber(quantity)}`]
  })
  return [...other, ...added.map(({ productName, quantity }) => `${formatNumber(quantity)} x ${productName} was added`)]
}
