import { useEffect, useState } from 'react'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import type { showTransferInstructions, TransferInstructions } from '#store/orders/bank/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import type { EndpointRoute } from '#web/api-caller.ts'
import { Button } from '#web/button.tsx'
import { CopyButton } from '#web/copy-button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'

// Without their schemas, which the page need not load.
const instructionsCall: EndpointRoute<typeof showTransferInstructions> = { method: 'GET', url: '/orders/:id/transfer' }
const proFormaPath = (id: string) => `/orders/${id}/pro-forma`

/** Whether an order waits for a transfer of its buyer. */
export const awaitsTransfer = ({ state, paymentMethod }: Pick<DisplayedOrder, 'state' | 'paymentMethod'>): boolean =>
  state === 'open' && paymentMethod === 'bank_transfer'

/** Amount, account and reference of an order that waits for a transfer, until when it is held, and its pro forma. */
export function TransferPanel({ order, onCard }: { order: DisplayedOrder; onCard?: (() => Promise<void>) | undefined }) {
  const { call } = useOrderAccess()
  const [transfer, setTransfer] = useState<TransferInstructions>()
  useEffect(() => {
    let isOver = false
    call(instructionsCall, { params: { id: order._id } }).then(
      (found) => {
        if (!isOver) setTransfer(found)
      },
      () => {}, // the mail says it, too, and the page shows the order without it
    )
    return () => {
      isOver = true
    }
  }, [call, order._id])
  if (!transfer) return null
  const { account, dueCents, receivedCents, reference, longHoldUntil, canPayByCard } = transfer
  return (
    <Panel as="section" aria-labelledby="transfer" variant="raised" className="flex flex-col items-start gap-4">
      <h2 id="transfer" className="text-lg">
        {receivedCents > 0 ? 'A part of your transfer is missing' : 'Your transfer'}
      </h2>
      {receivedCents > 0 && (
        <p>
          <MoneyAmount amountCents={receivedCents} /> has come.
        </p>
      )}
      {longHoldUntil && <LongHold until={longHoldUntil} />}
      <DescriptionList>
        <DescriptionItem name="Amount">
          <MoneyAmount amountCents={dueCents} className="font-semibold" />
        </DescriptionItem>
        {account && <AccountItems account={account} />}
        <DescriptionItem name="Reference">
          <span className="figures font-semibold">{reference}</span> <CopyButton label="the reference" text={reference} />
        </DescriptionItem>
        <DescriptionItem name="Has to be here by">
          <DateTime at={transfer.holdUntil} />
        </DescriptionItem>
      </DescriptionList>
      <p className="text-sm text-soft">
        {account
          ? 'Write just the reference into the transfer: by it your money finds the order. Banks take one to three days.'
          : 'The shop names no account at the moment: write to us before you transfer.'}
      </p>
      <Actions order={order} onCard={canPayByCard ? onCard : undefined} />
    </Panel>
  )
}

const AccountItems = ({ account: { holder, iban, bic, bankName } }: { account: NonNullable<TransferInstructions['account']> }) => (
  <>
    <DescriptionItem name="Account holder">{holder}</DescriptionItem>
    <DescriptionItem name="IBAN">
      <span className="figures">{formatIban(iban)}</span> <CopyButton label="the IBAN" text={iban} />
    </DescriptionItem>
    {bic && (
      <DescriptionItem name="BIC">
        <span className="figures">{bic}</span>
      </DescriptionItem>
    )}
    {bankName && <DescriptionItem name="Bank">{bankName}</DescriptionItem>}
  </>
)

/** Whoever has not shown yet that the e-mail is theirs. */
function LongHold({ until }: { until: string }) {
  const { isByLink } = useOrderAccess()
  return (
    <Notice kind="info" title={isByLink ? 'First open the link in the mail about this order' : 'First verify your e-mail, on My Profile'}>
      Then the pieces are held for your transfer until <DateTime at={until} />.
    </Notice>
  )
}

function Actions({ order, onCard }: { order: DisplayedOrder; onCard: (() => Promise<void>) | undefined }) {
  const { download } = useOrderAccess()
  const proForma = useSubmit({ send: () => download(proFormaPath(order._id), `PF-${order.number}.pdf`) })
  const card = useSubmit({ send: async () => onCard?.() })
  const refusal = proForma.refusal ?? card.refusal
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" dense busy={proForma.busy} busyLabel="Loading" onClick={() => proForma.submit()}>
          Pro forma (PDF)
        </Button>
        {onCard && (
          <Button variant="quiet" dense busy={card.busy} busyLabel="Opening" onClick={() => card.submit()}>
            Pay by card instead
          </Button>
        )}
      </div>
      {refusal && <RefusalNotice refusal={refusal} />}
    </>
  )
}
