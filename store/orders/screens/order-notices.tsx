import { formatCents } from '#shared/money.ts'
import { acknowledgeOrderProblems, type OrderHistoryEntry, type Purchase } from '#store/orders/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { eventLabel } from './order-history-table.tsx'

type ProblemNoticeProps = { order: Purchase; entries: OrderHistoryEntry[]; onAcknowledged: (history: OrderHistoryEntry[]) => void }

/** What went wrong with an order, until an admin says they have looked at it. Hidden as soon as the button is pressed, and shown again with the error message if the request fails. */
export function ProblemNotice({ order, entries, onAcknowledged }: ProblemNoticeProps) {
  const { submit, busy, refusal } = useSubmit({
    send() {
      focusOnMount(document.querySelector('h1')) // the focused button is gone
      return callApi(acknowledgeOrderProblems, { params: { id: order._id } })
    },
    onDone(history) {
      onAcknowledged(history)
      toast(`Order ${order.number}: looked at`)
    },
  })
  if (entries.length === 0 || busy) return null

  return (
    <Notice
      kind="warning"
      title="Look at this order: something went wrong"
      action={
        <>
          <Button variant="quiet" onClick={() => submit()}>
            I have looked at it
          </Button>
          <p className="mt-2 text-sm">{refusal?.message ?? 'It then asks for attention no more, unless something new goes wrong.'}</p>
        </>
      }
    >
      <ul className="list-disc ps-5">
        {entries.map(({ event, at, note, amountCents }) => (
          <li key={`${at} ${event} ${note}`}>
            {eventLabel(event)}
            {amountCents !== null && (
              <>
                {' '}
                (<MoneyAmount amountCents={amountCents} />)
              </>
            )}
            , <DateTime at={at} />
            {note && `: ${note}`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Money that the card provider has not answered about. */
export function PendingRefundNotice({
  cents,
  isByTransfer,
  onReload,
}: {
  cents: number
  isByTransfer: boolean
  onReload: () => Promise<void>
}) {
  const { submit, busy, refusal } = useSubmit({ send: onReload })
  if (isByTransfer)
    return (
      <Notice
        kind="info"
        title={`${formatCents(cents)} is to be transferred back`}
        action={<ButtonLink to="/dashboard/bank">Bank</ButtonLink>}
      >
        The page Bank says to whom. Say there that you have transferred it, or import the statement with it.
      </Notice>
    )
  return (
    <Notice
      kind="info"
      title={`${formatCents(cents)} is on its way back`}
      action={
        <Button variant="quiet" onClick={() => submit()} busy={busy} busyLabel="Looking again">
          Look again
        </Button>
      }
    >
      {refusal?.message ??
        'The card provider has not answered yet. The store asks it again by itself until it does: nothing needs to be done here.'}
    </Notice>
  )
}
