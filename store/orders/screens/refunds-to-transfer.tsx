import { type ReactNode, useState } from 'react'
import { shopDay } from '#shared/shop-day.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { completeTransferRefund, type Payee, type RefundToTransfer } from '#store/orders/bank/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { CopyButton } from '#web/copy-button.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { Field } from '#web/field.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'

type RefundsToTransferProps = { refunds: RefundToTransfer[]; count: number; isOwner: boolean; onDone: () => Promise<void> }

/** What the owner transfers back, and says so. */
export function RefundsToTransfer({ refunds, count, isOwner, onDone }: RefundsToTransferProps) {
  return (
    <section aria-labelledby="refunds" className="flex flex-col gap-4">
      <h2 id="refunds" className="text-xl">
        To be transferred back
      </h2>
      <p className="text-soft">
        {count === 1 ? 'One refund waits' : `${count} refunds wait`} for a transfer. Only owners can say here that it was made; a statement
        with its reference and amount says it, too.
      </p>
      <ul className="flex flex-col gap-4">
        {refunds.map((refund) => (
          <Refund key={refund._id} refund={refund}>
            {isOwner && <DoneForm refund={refund} onDone={onDone} />}
          </Refund>
        ))}
      </ul>
    </section>
  )
}

type RefundProps = { refund: RefundToTransfer; children: ReactNode }

const Refund = ({ refund: { orderNumber, amountCents, payees, reference, note }, children }: RefundProps) => (
  <Panel as="li" className="flex flex-col items-start gap-3">
    <DescriptionList>
      <DescriptionItem name="Amount">
        <MoneyAmount amountCents={amountCents} className="font-semibold" />
      </DescriptionItem>
      {payees.length === 1 && payees.map((payee) => <PayeeItems key={payee.iban} payee={payee} />)}
      <DescriptionItem name="Reference">
        <span className="figures">{reference}</span> <CopyButton label={`the reference of order ${orderNumber}`} text={reference} />
      </DescriptionItem>
      {note && <DescriptionItem name="Why">{note}</DescriptionItem>}
    </DescriptionList>
    {payees.length > 1 && (
      <>
        <p>
          This money came from {payees.length} accounts. Transfer to each what came from it, and nothing of another account, and say below
          when all of it was transferred.
        </p>
        <ul className="flex flex-col gap-3">
          {payees.map((payee) => (
            <li key={`${payee.iban} ${payee.name}`} className="border-l-2 border-line pl-3">
              <DescriptionList>
                <DescriptionItem name="Part">
                  <MoneyAmount amountCents={payee.amountCents} className="font-semibold" />
                </DescriptionItem>
                <PayeeItems payee={payee} />
              </DescriptionList>
            </li>
          ))}
        </ul>
      </>
    )}
    {children}
  </Panel>
)

const PayeeItems = ({ payee: { name, iban } }: { payee: Payee }) => (
  <>
    <DescriptionItem name="To">{name || 'Whoever has this account: the bank has not named them'}</DescriptionItem>
    <DescriptionItem name="IBAN">
      {iban ? (
        <>
          <span className="figures">{formatIban(iban)}</span> <CopyButton label={`the IBAN of ${name || 'this account'}`} text={iban} />
        </>
      ) : (
        'Not known: ask the buyer'
      )}
    </DescriptionItem>
  </>
)

function DoneForm({ refund: { _id, orderNumber }, onDone }: { refund: RefundToTransfer; onDone: () => Promise<void> }) {
  const [doneOn, setDoneOn] = useState(() => shopDay(new Date()))
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(completeTransferRefund, { params: { id: _id }, body: { doneOn } }),
    async onDone() {
      toast(`Order ${orderNumber}: the refund is booked`)
      await onDone()
    },
  })
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Transferred on"
          type="date"
          value={doneOn}
          onChange={({ target }) => setDoneOn(target.value)}
          error={refusal?.errors.doneOn}
        />
        <Button dense busy={busy} busyLabel="Booking" onClick={() => submit()} aria-label={`I have transferred it, order ${orderNumber}`}>
          I have transferred it
        </Button>
      </div>
      {refusal && !refusal.errors.doneOn && <RefusalNotice refusal={refusal} />}
    </>
  )
}
