import { useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type BankEntry, decideBankEntry, type EntryDecision, type EntryReason, type OrderOfEntry } from '#store/orders/bank/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { type AssignedPart, AssignForm } from './assign-form.tsx'

const reasonTexts: Record<EntryReason, string> = {
  'no reference': 'Names no order',
  'unknown order': 'Names an order that there is not',
  'several orders': 'Names several orders',
  'too little': 'Too little',
  'too much': 'Too much',
  'order ended': 'Came too late',
  'paid already': 'Paid already',
  'not looked at': 'To be looked at',
}

type BankEntryProps = { entry: BankEntry; isOwner: boolean; onDone: () => Promise<void> }

/** An entry of the account with what it is for or, where that is not sure, what can be done with it. */
export function BankEntryItem({ entry, isOwner, onDone }: BankEntryProps) {
  const { bookedOn, amountCents, leftCents, payerName, payerIban, text, reason, assigned, setAsideNote } = entry
  return (
    <Panel as="li" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p>
          <MoneyAmount amountCents={amountCents} className="text-lg font-semibold" />{' '}
          <span className="text-soft">{formatDay(bookedOn)}</span>
        </p>
        {reason && <StatusBadge kind="bad">{reasonTexts[reason]}</StatusBadge>}
      </div>
      <p className="wrap-anywhere">
        {payerName || 'No name'}
        {payerIban && <span className="figures text-soft"> {formatIban(payerIban)}</span>}
        <span className="block">{text || <span className="text-soft">No purpose</span>}</span>
      </p>
      {assigned.length > 0 && (
        <ul className="text-sm">
          {assigned.map((part) => (
            <li key={`${part.number} ${part.amountCents}`}>
              <MoneyAmount amountCents={part.amountCents} /> {part.isRefund ? 'back for' : 'for'} order {part.number}
            </li>
          ))}
          {leftCents > 0 && (
            <li>
              <MoneyAmount amountCents={leftCents} /> left
            </li>
          )}
        </ul>
      )}
      {setAsideNote && <p className="text-sm text-soft">For no order: {setAsideNote}</p>}
      {setAsideNote && <TakeUpAgain entry={entry} onDone={onDone} />}
      {reason && <Decisions entry={entry} isOwner={isOwner} onDone={onDone} />}
    </Panel>
  )
}

/** Takes back that an entry is for no order. */
function TakeUpAgain({ entry: { _id, leftCents }, onDone }: { entry: BankEntry; onDone: () => Promise<void> }) {
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(decideBankEntry, { params: { id: _id }, body: { decision: 'take up again', leftCentsSeen: leftCents } }),
    async onDone() {
      toast('The entry waits to be assigned')
      await onDone()
    },
  })
  return (
    <>
      <div>
        <Button
          dense
          variant="quiet"
          busy={busy}
          busyLabel="Taking it up"
          onClick={() => submit()}
          aria-label={`Take ${formatCents(leftCents)} up again`}
        >
          Take it up again
        </Button>
      </div>
      {refusal && <RefusalNotice refusal={refusal} />}
    </>
  )
}

type Decision = { decision: EntryDecision; orders: AssignedPart[]; reason?: string }

function Decisions({ entry, isOwner, onDone }: BankEntryProps) {
  const [pressed, setPressed] = useState<EntryDecision>()
  const { submit, busy, refusal } = useSubmit({
    send(body: Decision) {
      setPressed(body.decision)
      return callApi(decideBankEntry, { params: { id: entry._id }, body: { ...body, leftCentsSeen: entry.leftCents } })
    },
    async onDone(changed) {
      toast(changed.leftCents === 0 || changed.setAsideNote ? 'The entry is assigned' : `${formatCents(changed.leftCents)} of it are left`)
      await onDone()
    },
  })
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      {entry.order && <NamedOrder order={entry.order} />}
      {entry.order && (
        <div className="flex flex-wrap gap-3">
          {offersFor(entry, entry.order).map(({ label, amountCents, ...offered }) => (
            <Button
              key={label}
              dense
              variant="quiet"
              busy={busy && pressed === offered.decision}
              busyLabel="Booking"
              onClick={() => entry.order && submit({ ...offered, orders: [{ number: entry.order.number, amountCents }] })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <AssignForm entry={entry} isOwner={isOwner} busy={busy} errors={refusal?.errors ?? {}} onSubmit={submit} />
      {refusal && (
        <RefusalNotice refusal={refusal} outcomeUnknown="Whether it was booked is not known. Press again: nothing is booked twice.">
          Nothing was booked.
        </RefusalNotice>
      )}
    </div>
  )
}

export const NamedOrder = ({ order: { _id, number, buyerName, orderStatus, totalCents, dueCents } }: { order: OrderOfEntry }) => (
  <p>
    <TextLink to={`/dashboard/order/${_id}`}>Order {number}</TextLink> of {buyerName}, {orderStatus}:{' '}
    <MoneyAmount amountCents={totalCents} />
    {dueCents === 0 && ', all of it paid'}
    {dueCents > 0 && dueCents !== totalCents && (
      <>
        , of which <MoneyAmount amountCents={dueCents} /> is to be paid
      </>
    )}
  </p>
)

type Offer = { label: string; decision: EntryDecision; amountCents: number; reason?: string }

/** What can be done with an entry of the order that it names. A shortfall is accepted by the form below, which asks why. */
function offersFor({ leftCents, reason }: BankEntry, { dueCents }: OrderOfEntry): Offer[] {
  const back = { label: `Send ${formatCents(leftCents)} back`, decision: 'send back', amountCents: leftCents } as const
  switch (reason) {
    case 'too little':
      return [
        { label: `Book it and ask for ${formatCents(dueCents - leftCents)}`, decision: 'ask for the rest', amountCents: leftCents },
        back,
      ]
    case 'too much':
      return [{ label: `Book ${formatCents(dueCents)} to the order`, decision: 'assign', amountCents: dueCents }, back]
    case 'order ended':
      return [
        ...(leftCents >= dueCents ? [{ label: 'Place the order again', decision: 'place again' as const, amountCents: dueCents }] : []),
        back,
      ]
    case 'not looked at':
      return [{ label: 'Book it to the order', decision: 'assign', amountCents: leftCents }]
    default:
      return [back]
  }
}
