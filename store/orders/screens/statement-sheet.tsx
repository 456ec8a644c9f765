import { formatDay } from '#shared/format-day.ts'
import type { OpenInvoice, OwnStatement, Statement } from '#store/orders/on-account/contract.ts'
import { formatIban } from '#store/orders/payment-methods/iban.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'

const names: Record<Statement['entries'][number]['what'], string> = {
  invoice: 'Invoice',
  'credit note': 'Credit note',
  payment: 'Payment',
  'paid back': 'Transferred back',
  'written off': 'Not asked for any more',
  'write-off not needed': 'Write-off that is not needed any more',
}

type StatementSheetProps = {
  account: OwnStatement
  /** the parameters of the page of the account, which is that of the sheet, too */
  params: Record<string, string>
}

/** The statement of account of a company, to print or to save as PDF. */
export function StatementSheet({ account, params }: StatementSheetProps) {
  const { company, statement } = account
  const { from, to } = statement
  return (
    <Page title={<span className="print:hidden">Statement of account, {company.name}</span>} wide>
      <p className="print:hidden">
        <TextLink to={{ search: `?${new URLSearchParams(params)}` }}>Back to {company.name}</TextLink>
      </p>
      <GetForm className="flex flex-wrap items-end gap-3 print:hidden">
        {Object.entries(params).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
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
      <Panel
        as="article"
        variant="raised"
        aria-label="Statement of account"
        className="flex max-w-4xl flex-col gap-6 print:max-w-none print:border-0 print:p-0"
      >
        <Letterhead account={account} />
        <Movements statement={statement} />
        <p className="text-sm text-soft">What is ordered and not sent yet is no part of it.</p>
        {account.invoices.length > 0 && <ToBePaid invoices={account.invoices} bankAccount={account.bankAccount} />}
      </Panel>
    </Page>
  )
}

/** Who sends it to whom, and of which days it is. */
function Letterhead({ account: { company, seller, statement } }: { account: OwnStatement }) {
  const [sellerName, ...sellerLines] = seller?.split('\n') ?? []
  return (
    <>
      <div className="flex flex-wrap justify-between gap-x-8 gap-y-4 border-b border-line pb-4">
        <p className="text-lg font-semibold">{sellerName ?? 'Nucleus of PC'}</p>
        {sellerLines.length > 0 && <p className="text-sm whitespace-pre-line text-soft sm:text-right">{sellerLines.join('\n')}</p>}
      </div>
      <p>
        <span className="block font-semibold">{company.name}</span>
        {company.vatId && <span className="block text-sm text-soft">VAT id {company.vatId}</span>}
      </p>
      <h2 className="text-xl">
        Statement of account, {formatDay(statement.from)} to {formatDay(statement.to)}
      </h2>
    </>
  )
}

/** A plain table, also on a phone and on paper: the balance is read downwards. */
function Movements({ statement: { from, to, openingCents, entries, closingCents } }: { statement: Statement }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">What has happened, the oldest first</caption>
        <thead>
          <tr className="border-b-2 border-line align-bottom *:py-2 *:pe-4 *:font-semibold *:last:pe-0">
            <th scope="col">Day</th>
            <th scope="col">What</th>
            <th scope="col" className="text-right">
              Amount
            </th>
            <th scope="col" className="text-right">
              Balance
            </th>
          </tr>
        </thead>
        <tbody>
          <Movement day={from} what="Owed before" balanceCents={openingCents} isBalance />
          {entries.map(({ on, what, orderNumber, number, cents, balanceCents }, nth) => (
            <Movement
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other, and do not change
              key={nth}
              day={on}
              what={`${names[what]}${number ? ` ${number}` : ''}, order ${orderNumber}`}
              cents={cents}
              balanceCents={balanceCents}
            />
          ))}
          <Movement day={to} what="Owed" balanceCents={closingCents} isBalance />
        </tbody>
      </table>
    </div>
  )
}

type MovementProps = { day: string; what: string; cents?: number; balanceCents: number; isBalance?: boolean }

const Movement = ({ day, what, cents, balanceCents, isBalance = false }: MovementProps) => (
  <tr className={`break-inside-avoid border-b border-line align-top *:py-2 *:pe-4 *:last:pe-0 ${isBalance ? 'font-semibold' : ''}`}>
    <td className="sm:whitespace-nowrap">{formatDay(day)}</td>
    <td>{what}</td>
    <td className="text-right whitespace-nowrap">{cents !== undefined && <MoneyAmount amountCents={cents} />}</td>
    <td className="text-right whitespace-nowrap">
      <MoneyAmount amountCents={balanceCents} />
    </td>
  </tr>
)

/** What is not paid now, until when and to which account it is to be paid. */
function ToBePaid({ invoices, bankAccount }: { invoices: OpenInvoice[]; bankAccount: OwnStatement['bankAccount'] }) {
  return (
    <section aria-labelledby="to-be-paid" className="flex flex-col gap-3 break-inside-avoid">
      <h3 id="to-be-paid" className="text-lg">
        Invoices that are not paid
      </h3>
      <ul className="flex flex-col gap-1">
        {invoices.map(({ shipmentId, number, orderNumber, parcel, dueOn, daysOverdue, openCents }) => (
          <li key={shipmentId} className="flex flex-wrap justify-between gap-x-4">
            <span>
              {number ?? `Order ${orderNumber}, parcel ${parcel}`}, due {formatDay(dueOn)}
              {daysOverdue > 0 && ', overdue'}
            </span>
            <MoneyAmount amountCents={openCents} />
          </li>
        ))}
      </ul>
      {bankAccount && <WhereToTransfer bankAccount={bankAccount} />}
    </section>
  )
}

export const WhereToTransfer = ({ bankAccount: { holder, iban, bic } }: { bankAccount: NonNullable<OwnStatement['bankAccount']> }) => (
  <p>
    Please transfer it to {holder}, <span className="figures">{formatIban(iban)}</span>
    {bic && `, ${bic}`}, and name the invoices.
  </p>
)
