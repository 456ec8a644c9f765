import { formatDay } from '#shared/format-day.ts'
import type { OpenInvoice } from '#store/orders/on-account/contract.ts'
import { DateTime } from '#web/date-time.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'

type OpenInvoicesProps = {
  invoices: OpenInvoice[]
  /** where an order stands */
  orderUrl: (orderId: string) => string
}

export const OpenInvoices = ({ invoices, orderUrl }: OpenInvoicesProps) => (
  <Table
    caption="Invoices that are not paid, the oldest first"
    columns={[
      { label: 'Invoice' },
      { label: 'Sent' },
      { label: 'Due' },
      { label: 'Amount', isNumeric: true },
      { label: 'Left to pay', isNumeric: true },
      { label: 'Reminded' },
    ]}
  >
    {invoices.map(
      ({ shipmentId, orderId, orderNumber, parcel, number, sentOn, dueOn, daysOverdue, totalCents, openCents, ...reminded }) => (
        <Row key={shipmentId}>
          <Cell label="Invoice" isRowHeader>
            {number ?? 'Being issued'}
            <span className="block font-normal">
              <TextLink to={orderUrl(orderId)}>{`Order ${orderNumber}, parcel ${parcel}`}</TextLink>
            </span>
          </Cell>
          <Cell label="Sent">{formatDay(sentOn)}</Cell>
          <Cell label="Due">
            {formatDay(dueOn)}{' '}
            {daysOverdue > 0 && <StatusBadge kind="bad">{daysOverdue === 1 ? '1 day over' : `${daysOverdue} days over`}</StatusBadge>}
          </Cell>
          <Cell label="Amount" isNumeric>
            <MoneyAmount amountCents={totalCents} />
          </Cell>
          <Cell label="Left to pay" isNumeric>
            <MoneyAmount amountCents={openCents} />
          </Cell>
          <Cell label="Reminded">
            {reminded.remindedAt ? (
              <>
                Level {reminded.remindedLevel}, <DateTime at={reminded.remindedAt} />
              </>
            ) : (
              'never'
            )}
          </Cell>
        </Row>
      ),
    )}
  </Table>
)
