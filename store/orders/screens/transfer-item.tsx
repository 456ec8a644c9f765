import type { showTransferInstructions, TransferInstructions } from '#store/orders/bank/contract.ts'
import type { EndpointRoute } from '#web/api-caller.ts'
import { callApi } from '#web/call-api.ts'
import { DescriptionItem } from '#web/description-list.tsx'
import { MoneyAmount } from '#web/money.tsx'
import type { DisplayedOrder } from './displayed-order.ts'
import { awaitsTransfer } from './transfer-panel.tsx'

// Without its schemas, which the page need not load.
const transferCall: EndpointRoute<typeof showTransferInstructions> = { method: 'GET', url: '/orders/:id/transfer' }

/** @returns undefined where the order waits for no transfer */
export const loadTransfer = async (order: DisplayedOrder): Promise<TransferInstructions | undefined> =>
  awaitsTransfer(order) ? await callApi(transferCall, { params: { id: order._id } }) : undefined

/** What has come by transfer of an open order, for admins. */
export const TransferItem = ({ transfer: { reference, dueCents, receivedCents } }: { transfer: TransferInstructions }) => (
  <DescriptionItem name="Transfer">
    {receivedCents > 0 && (
      <>
        <MoneyAmount amountCents={receivedCents} className="font-semibold" /> has come,{' '}
      </>
    )}
    <MoneyAmount amountCents={dueCents} className="font-semibold" /> is missing, reference <span className="figures">{reference}</span>
  </DescriptionItem>
)
