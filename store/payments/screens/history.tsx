import { type Actor, eventsToLookAt, type HistoryLine, type OrderEvent } from '#store/orders/contract.ts'
import { Amount } from '#web/money.tsx'
import { Cell, Row } from '#web/row.tsx'
import { Status } from '#web/status.tsx'
import { Table } from '#web/table.tsx'
import { When } from '#web/when.tsx'

/** What should not happen to an order. It stands out. */
const wentWrong: ReadonlySet<OrderEvent> = new Set(['card declined', 'refund failed', 'disputed', 'trouble', 'late payment'])
const wantsLooking: ReadonlySet<OrderEvent> = new Set(eventsToLookAt)

/** What of an order's history wants an admin who has not looked at it yet. */
export const toBeLookedAt = (history: HistoryLine[]): HistoryLine[] =>
  history.slice(history.findLastIndex(({ event }) => event === 'looked at') + 1).filter(({ event }) => wantsLooking.has(event))

const who: Record<Actor, string> = { buyer: 'The buyer', admin: 'An admin', store: 'The store', 'card provider': 'The card provider' }
const mail: Record<HistoryLine['mail'], string> = { none: 'None', due: 'Due', sent: 'Sent' }

/** An event as a sentence begins with it. */
export const eventWords = (event: OrderEvent): string => event.charAt(0).toUpperCase() + event.slice(1)

export function History({ lines }: { lines: HistoryLine[] }) {
  return (
    <Table
      caption="History, newest last"
      whole
      head={[
        { label: 'What' },
        { label: 'When' },
        { label: 'Who' },
        { label: 'Amount', figures: true },
        { label: 'Note' },
        { label: 'Mail to the buyer' },
      ]}
    >
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
        <Row key={place}>
          <Cell label="What" head>
            {wentWrong.has(line.event) ? <Status kind="bad">{eventWords(line.event)}</Status> : eventWords(line.event)}
          </Cell>
          <Cell label="When" className="@3xl:min-w-36">
            <When at={line.at} />
          </Cell>
          <Cell label="Who">
            {who[line.actor]}
            {line.by && <span className="block break-all text-soft">{line.by}</span>}
          </Cell>
          <Cell label="Amount" figures className={line.amountCents === null ? '@max-3xl:hidden' : ''}>
            {line.amountCents !== null && <Amount amountCents={line.amountCents} />}
          </Cell>
          <Cell label="Note" className={`@3xl:min-w-44 ${line.note ? '' : '@max-3xl:hidden'}`}>
            <span className="wrap-anywhere">{line.note}</span>
          </Cell>
          <Cell label="Mail to the buyer">{mail[line.mail]}</Cell>
        </Row>
      ))}
    </Table>
  )
}
