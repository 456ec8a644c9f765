import { useEffect, useState } from 'react'
import { type OrderWithdrawal, showWithdrawal } from '#store/orders/withdrawals/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Panel } from '#web/panel.tsx'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'
import { periodText, WithdrawalReceipts } from './withdrawal-receipts.tsx'

/** Where the buyer withdraws from the contract as long as they can, and what they have withdrawn from. */
export function WithdrawalSection({ order }: { order: DisplayedOrder }) {
  const found = useWithdrawal(order)
  if (!found || (!found.withdrawal && found.withdrawn.length === 0)) return null
  const { withdrawal, withdrawn, page } = found
  return (
    <Panel as="section" aria-labelledby="withdrawal" className="flex flex-col items-start gap-3 print:hidden">
      <h2 id="withdrawal" className="text-lg">
        Withdrawal
      </h2>
      <WithdrawalReceipts withdrawn={withdrawn} />
      {withdrawal && (
        <>
          <p>{periodText(withdrawal)}</p>
          {page !== null && (
            <ButtonLink to={page} variant="quiet" prefetch="none">
              Withdraw from contract
            </ButtonLink>
          )}
        </>
      )}
    </Panel>
  )
}

function useWithdrawal({ _id, orderStatus, fulfilmentStatus, refundedCents }: DisplayedOrder): OrderWithdrawal | undefined {
  const { call } = useOrderAccess()
  const [found, setFound] = useState<OrderWithdrawal>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks anew when the order has changed
  useEffect(() => {
    let isOver = false
    call(showWithdrawal, { params: { id: _id } }).then(
      (answer) => !isOver && setFound(answer),
      () => {}, // the page shows the order without it
    )
    return () => {
      isOver = true
    }
  }, [_id, orderStatus, fulfilmentStatus, refundedCents, call])
  return found
}
