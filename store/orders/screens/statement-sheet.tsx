import { formatDay } from '#shared/format-day.ts'
import type { CompanyAccount, Statement } from '#store/orders/on-account/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { TextLink } from '#web/text-link.tsx'

const names: Record<Statement['entries'][number]['what'], string> = {
  invoice: 'Invoice',
  'credit note': 'Credit note',
  payment: 'Payment',
  'paid back': 'Transferred back',
  'written off': 'Not asked for any more',
  'write-off not needed': 'Asked for in no way, as it was credited',
}

/** The statement of account of a company, to print or to save as PDF. */
export function StatementSheet({ account: { company, statement } }: { account: CompanyAccount }) {
  const { from, to, openingCents, entries, closingCents } = statement
  return (
    <Page title={`Statement of account, ${company.name}`} wide>
      <p className="print:hidden">
        <TextLink to={{ search: `?company=${company._id}` }}>Back to {company.name}</TextLink>
      </p>
      <GetForm className="flex flex-wrap items-end gap-3 print:hidden">
        <input type="hidden" name="company" value={company._id} />
        <input type="hidden" name="paper" value="statement" />
        <Field label="From" name="from" type="date" defaultValue={from} />
        <Field label="To" name="to" type="date" defaultValue={to} />
        <Button type="submit" variant="quiet">
          Show
        </Button>
        <Button variant="quiet" onClick={() => window.print()}>
          Print or save
        </Button>
      </GetForm>
      <Panel as="article" variant="raised" aria-label="Statement of account" className="print:border-0 print:p-0">
        <Table
          fullHeight
          caption={`${company.name}, ${formatDay(from)} to ${formatDay(to)}`}
          columns={[
            { label: 'Day' },
            { label: 'What' },
            { label: 'Order' },
            { label: 'Amount', isNumeric: true },
            { label: 'Balance', isNumeric: true },
          ]}
        >
          <BalanceRow day={from} what="Owed before" cents={openingCents} />
          {entries.map(({ on, what, orderNumber, number, cents, balanceCents }, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other, and do not change
            <Row key={nth}>
              <Cell label="Day" isRowHeader>
                {formatDay(on)}
              </Cell>
              <Cell label="What">
                {names[what]} {number}
              </Cell>
              <Cell label="Order">{orderNumber}</Cell>
              <Cell label="Amount" isNumeric>
                <MoneyAmount amountCents={cents} />
              </Cell>
              <Cell label="Balance" isNumeric>
                <MoneyAmount amountCents={balanceCents} />
              </Cell>
            </Row>
          ))}
          <BalanceRow day={to} what="Owed" cents={closingCents} />
        </Table>
      </Panel>
      <p className="text-sm text-soft">What is ordered and not sent yet is no part of it.</p>
    </Page>
  )
}

const BalanceRow = ({ day, what, cents }: { day: string; what: string; cents: number }) => (
  <Row className="font-semibold">
    <Cell label="Day" isRowHeader>
      {formatDay(day)}
    </Cell>
    <Cell label="What">{what}</Cell>
    <Cell label="Order">{''}</Cell>
    <Cell label="Amount" isNumeric>
      {''}
    </Cell>
    <Cell label="Balance" isNumeric>
      <MoneyAmount amountCents={cents} />
    </Cell>
  </Row>
)
