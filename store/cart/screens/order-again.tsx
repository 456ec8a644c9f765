import { useState } from 'react'
import { useNavigate, useOutletContext } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { addOrderToCart, type PastedLine } from '#store/cart/contract.ts'
import type { Order } from '#store/orders/order-contract.ts'
import { applyVisitorToNavigation } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { NotAddedList } from './not-added-list.tsx'

/** Puts all lines of an order into the basket. A part of the order's page; the basket then shows today's prices. */
export default function OrderAgain() {
  const { _id: id, lines } = useOutletContext<Pick<Order, '_id' | 'lines'>>()
  const [notAdded, setNotAdded] = useState<PastedLine[]>()
  const navigate = useNavigate()
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(addOrderToCart, { params: { id } }),
    onDone(taken) {
      applyVisitorToNavigation()
      if (taken.notAdded.length === 0) return navigate('/cart')
      setNotAdded(taken.notAdded)
    },
  })
  return (
    <>
      <Button variant="quiet" busy={busy} busyLabel="Putting them in" onClick={() => submit()}>
        {lines.length === 1 ? 'Put into the basket' : 'Order all again'}
      </Button>
      {refusal && (
        <Notice kind="error" className="basis-full">
          {refusal.message}
        </Notice>
      )}
      {notAdded && (
        <Notice
          kind="warning"
          className="basis-full"
          title={`${formatNumber(notAdded.length)} not put into your basket`}
          action={
            <ButtonLink to="/cart" prefetch="none">
              To your basket
            </ButtonLink>
          }
        >
          <NotAddedList lines={notAdded} />
        </Notice>
      )}
    </>
  )
}
