import { type SubmitEvent, useState } from 'react'
import { centsToAmount, formatCents } from '#shared/money.ts'
import type { BankEntry, EntryDecision, OrderOfEntry } from '#store/orders/bank/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import { NamedOrder } from './bank-entry-item.tsx'

export type AssignedPart = { number: number; amountCents: number }

type AssignFormProps = {
  entry: BankEntry
  isOwner: boolean
  busy: boolean
  errors: Record<string, string>
  onSubmit: (decision: { decision: EntryDecision; orders: AssignedPart[]; reason?: string }) => Promise<void>
}

const decisions: { value: EntryDecision; label: string }[] = [
  { value: 'assign', label: 'Book it to these orders' },
  { value: 'ask for the rest', label: 'Book it to this order, and ask for the rest' },
  { value: 'accept the shortfall', label: 'Book it to this order, and write off what is missing' },
  { value: 'place again', label: 'Place this order again, which has ended' },
  { value: 'send back', label: 'Send it back to the buyer of this order' },
  { value: 'set aside', label: 'It is for no order' },
]

/** "1001" or, for several, "1001: 30, 1002: 12.50"; of an order without an amount it is all that is left. */
function parseParts(typed: string, leftCents: number): AssignedPart[] | undefined {
  const parts = typed
    .split(/[,;\n]+(?!\d{2}\b)/)
    .map((part) => part.trim())
    .filter(Boolean)
  const parsed = parts.map((part) => {
    const [, number, , whole, decimals = ''] = /^(\d{1,10})(\s*[:=]\s*(\d{1,7})(?:[.,](\d{1,2}))?)?$/.exec(part) ?? []
    if (number === undefined) return undefined
    return { number: Number(number), amountCents: whole === undefined ? leftCents : Number(whole) * 100 + Number(decimals.padEnd(2, '0')) }
  })
  return parsed.every((part) => part !== undefined) ? parsed : undefined
}

/** What an admin types where the offers do not fit: for which orders, for how much of each, and what is to be done. */
export function AssignForm(props: AssignFormProps) {
  const { leftCents, order, proposals } = props.entry
  const [typed, setTyped] = useState(order ? `${order.number}` : '')
  return (
    <details open={!order || undefined}>
      <summary className="min-h-6 cursor-pointer font-medium">{order ? 'Something else' : 'Say what it is for'}</summary>
      <div className="mt-3 flex flex-col gap-3">
        {proposals.length > 0 && (
          <Proposals
            proposals={proposals}
            onTake={({ number, dueCents }) => setTyped(dueCents < leftCents ? `${number}: ${centsToAmount(dueCents)}` : `${number}`)}
          />
        )}
        <DecisionForm {...props} typed={typed} onType={setTyped} />
      </div>
    </details>
  )
}

function Proposals({ proposals, onTake }: { proposals: OrderOfEntry[]; onTake: (order: OrderOfEntry) => void }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-soft">It may be for:</p>
      <ul className="flex flex-col gap-2">
        {proposals.map((proposal) => (
          <li key={proposal._id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <NamedOrder order={proposal} />
            <Button dense variant="quiet" aria-label={`Take order ${proposal.number}`} onClick={() => onTake(proposal)}>
              Take it
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

type DecisionFormProps = AssignFormProps & { typed: string; onType: (typed: string) => void }

function DecisionForm({ entry: { leftCents }, isOwner, busy, errors, onSubmit, typed, onType }: DecisionFormProps) {
  const [decision, setDecision] = useState<EntryDecision>('assign')
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const serverError = Object.entries(errors).find(([field]) => field.startsWith('orders'))?.[1]
  const namesOrders = decision !== 'set aside'

  async function send(event: SubmitEvent) {
    event.preventDefault()
    const orders = namesOrders ? parseParts(typed, leftCents) : []
    if (!orders || (orders.length === 0 && namesOrders))
      return setProblem('Enter the number of an order, or several like 1001: 30, 1002: 12.50')
    setProblem(undefined)
    await onSubmit({ decision, orders, reason })
  }

  return (
    <form onSubmit={send} noValidate className="flex max-w-form flex-col gap-3">
      <SelectField
        label="What to do"
        options={isOwner ? decisions : decisions.filter(({ value }) => value !== 'accept the shortfall')}
        value={decision}
        onChange={({ target }) => setDecision(decisions.find(({ value }) => value === target.value)?.value ?? 'assign')}
      />
      {namesOrders && (
        <Field
          label="Order"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => onType(target.value)}
          error={problem ?? serverError}
          hint={`Its number; of several each with its amount, like 1001: 30, 1002: 12.50. ${formatCents(leftCents)} is left`}
        />
      )}
      <Field
        label="Why"
        optional={namesOrders && decision !== 'accept the shortfall'}
        autoComplete="off"
        maxLength={200}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        error={errors.reason}
      />
      <div>
        <Button type="submit" dense busy={busy} busyLabel="Booking">
          Do it
        </Button>
      </div>
    </form>
  )
}
