import { useCallback, useEffect, useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { listOrderReturns, type Return, type OrderReturns as Returns, takeBackReturn } from '#store/orders/returns/contract.ts'
import { formatReturnNumber } from '#store/orders/returns/return-reasons.ts'
import { Button } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Panel } from '#web/panel.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { DisplayedOrder } from '../displayed-order.ts'
import { useOrderAccess } from '../order-access.ts'
import { ReturnForm } from './return-form.tsx'
import { returnState } from './return-labels.ts'
import { ReturnedLines } from './returned-lines.tsx'

type OrderReturnsProps = {
  order: Pick<DisplayedOrder, '_id' | 'number'>
  /** loads the page anew, whose history has a new event */
  onChanged: () => Promise<void>
}

/** The returns of an order that was sent, with the form that asks for one. */
export default function OrderReturns({ order, onChanged }: OrderReturnsProps) {
  const { found, reload } = useReturns(order._id)
  if (!found || (found.returns.length === 0 && found.returnable.length === 0)) return null
  const changed = async () => {
    await Promise.all([reload(), onChanged()])
  }
  return (
    <Panel as="section" aria-labelledby="returns" className="flex flex-col gap-4 print:hidden">
      <h2 id="returns" className="text-xl">
        {found.returns.length === 0 ? 'Send something back' : 'Returns'}
      </h2>
      {found.returns.length > 0 && (
        <ul aria-label="Returns" className="flex flex-col divide-y divide-line">
          {found.returns.map((asked) => (
            <li key={asked._id} className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
              <ReturnItem asked={asked} address={found.address} onChanged={changed} />
            </li>
          ))}
        </ul>
      )}
      {found.returnable.length > 0 && (
        <details key={formKey(found)} className={found.returns.length > 0 ? 'border-t border-line pt-3' : ''}>
          <summary className="min-h-6 cursor-pointer font-medium">Ask for a return</summary>
          <ReturnForm order={order} returnable={found.returnable} onAsked={changed} />
        </details>
      )}
    </Panel>
  )
}

/** Another one once other pieces can be returned, for which the form is closed and begins anew. */
const formKey = ({ returnable }: Returns) => returnable.map(({ _id, pieces }) => `${_id} ${pieces}`).join()

/** The page shows the order without them while they are not loaded. */
function useReturns(orderId: string) {
  const { call } = useOrderAccess()
  const [found, setFound] = useState<Returns>()
  const reload = useCallback(
    () =>
      call(listOrderReturns, { params: { id: orderId } })
        .then(setFound)
        .catch(() => {}),
    [call, orderId],
  )
  useEffect(() => {
    void reload()
  }, [reload])
  return { found, reload }
}

type ReturnItemProps = { asked: Return; address: string | null; onChanged: () => Promise<void> }

function ReturnItem({ asked, address, onChanged }: ReturnItemProps) {
  const { number, status, askedAt, moneyDueOn, note, lines } = asked
  const { kind, text } = returnState(asked)
  const isExpected = status === 'open' && lines.every(({ arrived, decisions }) => arrived === 0 && decisions.length === 0)
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">
          {moneyDueOn === null ? 'Return' : 'Withdrawal'} {formatReturnNumber(number)}
        </span>
        <StatusBadge kind={kind}>{text}</StatusBadge>
      </p>
      <p className="text-sm text-soft">
        Asked for <DateTime at={askedAt} />
        {moneyDueOn && `. The money goes back by ${formatDay(moneyDueOn)}`}
      </p>
      <ReturnedLines asked={asked} />
      {note && <p className="text-sm wrap-anywhere whitespace-pre-line">{note}</p>}
      {isExpected && <WhereToSend number={number} address={address} />}
      {isExpected && moneyDueOn === null && <TakeBackButton asked={asked} onChanged={onChanged} />}
    </>
  )
}

const WhereToSend = ({ number, address }: { number: number; address: string | null }) => (
  <div>
    <p>
      Write <strong>{formatReturnNumber(number)}</strong> on the parcel and send it {address ? 'to:' : 'to the address that we tell you.'}
    </p>
    {address && <p className="whitespace-pre-line">{address}</p>}
  </div>
)

function TakeBackButton({ asked, onChanged }: { asked: Return; onChanged: () => Promise<void> }) {
  const { call } = useOrderAccess()
  const { submit, busy, refusal } = useSubmit({
    send: () => call(takeBackReturn, { params: { id: asked.orderId, returnId: asked._id } }),
    async onDone() {
      toast(`Return ${formatReturnNumber(asked.number)} is cancelled`)
      await onChanged()
    },
    onRefused: onChanged,
  })
  return (
    <>
      <Button dense variant="quiet" className="self-start" busy={busy} busyLabel="Cancelling" onClick={() => submit()}>
        Cancel return {formatReturnNumber(asked.number)}
      </Button>
      {refusal && <RefusalNotice refusal={refusal}>The return stands as it is shown now.</RefusalNotice>}
    </>
  )
}
