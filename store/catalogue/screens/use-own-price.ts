import { useEffect, useState } from 'react'
import { useAccount } from '#web/account.ts'

/**
 * What the signed-in customer pays for a piece where that is less than the list price. Pages are the same for everybody, so it
 * is asked for once a page is shown. Undefined for visitors, for a product that is still being typed (without an id), and until then.
 */
export function useOwnPrice(productId: string): number | undefined {
  const email = useAccount()?.email
  const [own, setOwn] = useState<{ of: string; price: number | undefined }>()
  const of = `${productId} ${email}`
  useEffect(() => {
    let isShown = Boolean(email)
    if (email && productId)
      import('./load-own-price.ts')
        .then(({ loadOwnPrice }) => loadOwnPrice(productId))
        .then(
          (price) => isShown && setOwn({ of, price }),
          () => {}, // the order form asks again, and an order always costs what the buyer pays
        )
    return () => {
      isShown = false
    }
  }, [productId, email, of])
  return own?.of === of ? own.price : undefined // not that of the product or the account before
}
