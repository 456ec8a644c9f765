import { zodResolver } from '@hookform/resolvers/zod'
import { useRevalidator } from 'react-router'
import { formatCents } from '#shared/money.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type CompanyAccount, changeCredit, reminderPauseDays, sendReminder } from '#store/orders/on-account/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { MoneyAmount, moneyFieldProps } from '#web/money.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { BookingForm } from './booking-form.tsx'
import { OpenInvoices } from './open-invoices.tsx'
import { TotalsByAge } from './receivables.tsx'
import { type CreditFormInput, centsOfOrder, creditFormSchema, toCreditForm } from './receivables-form-schemas.ts'

/** What one company owes, may owe and has been reminded of, and what of it the owner writes down. */
export function CompanyAccountView({ account }: { account: CompanyAccount }) {
  const { company, owedCents, overdueCents, byAge, invoices, invoicesToRemind, orders, history } = account
  const owing = orders.filter((order) => centsOfOrder('payment', order) > 0)
  const toGiveBack = orders.filter((order) => centsOfOrder('payback', order) > 0)
  return (
    <Page title={company.name} lead={company.vatId ? `VAT id ${company.vatId}` : undefined} wide>
      <p>
        <TextLink to="/dashboard/receivables">Back to Receivables</TextLink>
      </p>
      <TotalsByAge owedCents={owedCents} byAge={byAge} />
      <div className="flex flex-wrap gap-3">
        {invoicesToRemind > 0 && <ReminderButton companyId={company._id} />}
        <ButtonLink variant="quiet" to={{ search: `?company=${company._id}&paper=statement` }}>
          Statement of account
        </ButtonLink>
        {overdueCents > 0 && invoicesToRemind === 0 && (
          <p className="self-center text-soft">All that is overdue was reminded of within the last {reminderPauseDays} days.</p>
        )}
      </div>
      {invoices.length > 0 && <OpenInvoices invoices={invoices} orderUrl={(id) => `/dashboard/order/${id}`} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {owing.length > 0 && (
          <Panel variant="raised">
            <BookingForm key={`payment ${owedCents}`} kind="payment" orders={owing} invoices={invoices} />
          </Panel>
        )}
        {toGiveBack.length > 0 && (
          <Panel variant="raised">
            <BookingForm key={`payback ${account.toGiveBackCents}`} kind="payback" orders={toGiveBack} invoices={invoices} />
          </Panel>
        )}
        <Panel>
          <CreditForm account={account} />
        </Panel>
      </div>
      {history.length > 0 && <History history={history} />}
    </Page>
  )
}

function ReminderButton({ companyId }: { companyId: string }) {
  const { revalidate } = useRevalidator()
  const { submit, busy } = useSubmit({
    send: () => callApi(sendReminder, { params: { id: companyId } }),
    async onDone({ level, invoices }) {
      toast(`Reminder ${level} is sent`, { detail: invoices === 1 ? 'It names 1 invoice' : `It names ${invoices} invoices` })
      await revalidate()
    },
    toastDetail: () => 'Nothing was sent',
  })
  return (
    <Button busy={busy} busyLabel="Sending" onClick={() => submit()}>
      Send a reminder
    </Button>
  )
}

function CreditForm({ account: { company, credit } }: { account: CompanyAccount }) {
  const { revalidate } = useRevalidator()
  const draft = `credit ${company._id} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(creditFormSchema),
    defaultValues: { ...toCreditForm(credit), ...loadDraft<CreditFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: creditFieldNames,
    send: (body) => callApi(changeCredit, { params: { id: company._id }, body }),
    async onDone(saved) {
      toast('Saved', { detail: `${company.name} may owe ${formatCents(saved.limitCents)}` })
      form.reset(toCreditForm(saved))
      await revalidate()
    },
  })
  const { errors, isSubmitting } = form.formState
  const field = (name: keyof CreditFormInput) => ({ error: errors[name]?.message, autoComplete: 'off', ...form.register(name) })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <h2 className="text-xl">What {company.name} may owe</h2>
      <Field label="At most" hint="0: nothing more on account" {...moneyFieldProps()} {...field('limitCents')} />
      <Field label="Days until an invoice is due" inputMode="numeric" hint="1 to 90, for orders from now on" {...field('dueDays')} />
      <Field label="Note" optional hint="For owners" {...field('note')} />
      {refusal && !creditFieldNames.some((name) => refusal.errors[name]) && <RefusalNotice refusal={refusal} />}
      <div>
        <Button type="submit" busy={isSubmitting} busyLabel="Saving">
          Save what it may owe
        </Button>
      </div>
    </form>
  )
}

const creditFieldNames = ['limitCents', 'dueDays', 'note'] as const

const History = ({ history }: { history: CompanyAccount['history'] }) => (
  <section aria-labelledby="credit-history" className="flex flex-col gap-3">
    <h2 id="credit-history" className="text-xl">
      Who has approved what
    </h2>
    <ul className="flex flex-col gap-2">
      {history.map(({ at, by, limitCents, dueDays, note }) => (
        <li key={at}>
          <DateTime at={at} />, {by}: <MoneyAmount amountCents={limitCents} />, due after {dueDays === 1 ? '1 day' : `${dueDays} days`}
          {note && <span className="text-soft">. {note}</span>}
        </li>
      ))}
    </ul>
  </section>
)
