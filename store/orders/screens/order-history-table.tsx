import { type Actor, eventsNeedingAttention, type OrderEvent, type OrderHistoryEntry } from '#store/orders/contract.ts'
import { DateTime } from '#web/date-time.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'

/** Events that went wrong; they are highlighted. */
const problemEvents: ReadonlySet<OrderEvent> = new Set(['card declined', 'refund failed', 'disputed', 'trouble', 'late payment'])
const attentionEvents: ReadonlySet<OrderEvent> = new Set(eventsNeedingAttention)

/** The events that need an admin's attention and were not acknowledged yet. */
export const unacknowledgedEvents = (history: OrderHistoryEntry[]): OrderHistoryEntry[] =>
  history.slice(history.findLastIndex(({ event }) => event === 'looked at') + 1).filter(({ event }) => attentionEvents.has(event))

const actorLabels: Record<Actor, string> = {
  buyer: 'The buyer',
  admin: 'An admin',
  store: 'The store',
  'card provider': 'The card provider',
}
const mailLabels: Record<OrderHistoryEntry['mail'], string> = { none: 'None', due: 'Due', sent: 'Sent', failed: 'Not delivered' }

const furtherLabels: Partial<Record<OrderEvent, string>> = {
  'line cancelled': 'A part was cancelled', // as its buyer reads of it
  'taken back': 'A parcel was taken back',
}

/** The event with an initial capital, where it has no other label. */
export const eventLabel = (event: OrderEvent): string => furtherLabels[event] ?? event.charAt(0).toUpperCase() + event.slice(1)

export function OrderHistoryTable({ lines }: { lines: OrderHistoryEntry[] }) {
  return (
    <Table
      caption="History, newest last"
      fullHeight
      columns={[
        { label: 'What' },
        { label: 'When' },
        { label: 'Who' },
        { label: 'Amount', isNumeric: true },
        { label: 'Note' },
        { label: 'Mail' },
      ]}
    >
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
        <Row key={index}>
          <Cell label="What" isRowHeader>
            {problemEvents.has(line.event) ? <StatusBadge kind="bad">{eventLabel(line.event)}</StatusBadge> : eventLabel(line.event)}
          </Cell>
          <Cell label="When" className="@3xl:min-w-36">
            <DateTime at={line.at} />
          </Cell>
          <Cell label="Who">
            {line.event === 'paid' && line.by ? "Somebody of the buyer's company" : actorLabels[line.actor]}
            {line.by && <span className="block break-all text-soft">{line.by}</span>}
          </Cell>
          <Cell label="Amount" isNumeric className={line.amountCents === null ? '@max-3xl:hidden' : ''}>
            {line.amountCents !== null && <MoneyAmount amountCents={line.amountCents} />}
          </Cell>
          <Cell label="Note" className={`@3xl:min-w-44 ${line.items || line.note ? '' : '@max-3xl:hidden'}`}>
            {line.items && <span className="block wrap-anywhere">{line.items}</span>} <span className="wrap-anywhere">{line.note}</span>
          </Cell>
          <Cell label="Mail">{mailLabels[line.mail]}</Cell>
        </Row>
      ))}
    </Table>
  )
}
