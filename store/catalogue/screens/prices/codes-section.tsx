import { zodResolver } from '@hookform/resolvers/zod'
import { type Ref, useRef, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { addDiscountCode, type DiscountCode, endDiscountCode } from '#store/catalogue/pricing/contract.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount, moneyFieldProps } from '#web/money.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type CodeFormInput, codeFormSchema } from './pricing-forms.ts'
import { isOver, lastMinuteBefore, RestoreCodeDialog } from './restore-code-dialog.tsx'

type SectionProps = {
  /** `next`: the key of the next page */
  found: { codes: DiscountCode[]; total: number; next: string | null; isFirstPage: boolean }
  /** how the listed codes begin */
  beginning: string
  /** when the codes were loaded: a code ends by the clock */
  loadedAt: number
  /** loads the page's lists again */
  onChanged: () => Promise<void>
}

/** Codes that take something off an order. */
export function CodesSection({ found: { codes, total, next, isFirstPage }, beginning, loadedAt, onChanged }: SectionProps) {
  const table = useRef<HTMLDivElement>(null)
  const [ending, setEnding] = useState<{ code: DiscountCode; open: boolean }>()
  const [restoring, setRestoring] = useState<{ code: DiscountCode; open: boolean }>()
  return (
    <section aria-labelledby="codes" className="flex flex-col gap-4">
      <CodesIntroduction />
      <CodeForm onSaved={onChanged} />
      {(total > codes.length || beginning !== '') && <CodeSearch beginning={beginning} />}
      {beginning !== '' && <p role="status">{total === 1 ? '1 code' : `${formatNumber(total)} codes`}</p>}
      {total > codes.length && codes.length > 0 && (
        <p className="text-soft">
          Shown: {isFirstPage ? `the first ${formatNumber(codes.length)}` : `${formatNumber(codes.length)} further`} of{' '}
          {formatNumber(total)}. Those that have not ended come first, and of these the newest.
        </p>
      )}
      {codes.length > 0 && (
        <CodesTable
          codes={codes}
          loadedAt={loadedAt}
          ref={table}
          onEnd={(code) => setEnding({ code, open: true })}
          onRestore={(code) => setRestoring({ code, open: true })}
        />
      )}
      <KeyPagination
        label="Pages of codes"
        isFirstPage={isFirstPage}
        names={['codes']}
        next={next === null ? undefined : { codes: next }}
        list={table}
      />
      {ending && <EndCodeDialog {...ending} onClose={() => setEnding({ ...ending, open: false })} onEnded={onChanged} />}
      {restoring && (
        <RestoreCodeDialog
          {...restoring}
          key={restoring.code._id}
          loadedAt={loadedAt}
          onClose={() => setRestoring({ ...restoring, open: false })}
          onRestored={onChanged}
        />
      )}
    </section>
  )
}

function CodesIntroduction() {
  return (
    <div className="max-w-read">
      <h2 id="codes" className="text-xl">
        Discount codes
      </h2>
      <p className="text-soft">
        A code takes a percentage or an amount off the goods of an order. What it takes off never changes: end it, and add another. An ended
        code can be brought back. Customers type it at the checkout or where they order a single product.
      </p>
    </div>
  )
}

function CodeSearch({ beginning }: { beginning: string }) {
  return (
    <GetForm className="flex max-w-form items-end gap-3">
      <div className="min-w-0 grow">
        <Field label="Codes that begin with" name="code" type="search" defaultValue={beginning} key={beginning} />
      </div>
      <Button type="submit" variant="quiet" className="shrink-0">
        Search
      </Button>
    </GetForm>
  )
}

type CodesTableProps = {
  codes: DiscountCode[]
  loadedAt: number
  ref: Ref<HTMLDivElement>
  onEnd: (code: DiscountCode) => void
  onRestore: (code: DiscountCode) => void
}

function CodesTable({ codes, loadedAt, ref, onEnd, onRestore }: CodesTableProps) {
  return (
    <Table
      ref={ref}
      caption="Codes"
      columns={[
        { label: 'Code' },
        { label: 'Takes off', isNumeric: true },
        { label: 'For goods from', isNumeric: true },
        { label: 'From' },
        { label: 'To' },
        { label: 'Uses', isNumeric: true },
        { label: 'End' },
      ]}
    >
      {codes.map((code) => (
        <CodeRow key={code._id} code={code} loadedAt={loadedAt} onEnd={() => onEnd(code)} onRestore={() => onRestore(code)} />
      ))}
    </Table>
  )
}

type EndCodeDialogProps = { code: DiscountCode; open: boolean; onClose: () => void; onEnded: () => Promise<void> }

function EndCodeDialog({ code, open, onClose, onEnded }: EndCodeDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      title={`End the code ${code.code}?`}
      confirmLabel={`End ${code.code}`}
      cancelLabel="Keep it"
      busyLabel="Ending"
      onConfirm={async () => {
        await callApi(endDiscountCode, { params: { id: code._id } })
        onClose()
        toast('Code ended', { detail: code.code })
        await onEnded()
      }}
      onCancel={onClose}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => document.getElementById('new-code')}
    >
      <p>Nobody can use it from now on, until it is brought back. Orders that used it keep what it took off.</p>
    </ConfirmDialog>
  )
}

const emptyCode: Required<CodeFormInput> = { code: '', percentOff: '', amountOff: '', minimum: '', startsOn: '', endsOn: '', maxUses: '' }

function CodeForm({ onSaved }: { onSaved: () => Promise<void> }) {
  const draft = `discount code ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(codeFormSchema),
    defaultValues: { ...emptyCode, ...loadDraft<CodeFormInput>(draft) },
  })
  const { errors, isSubmitting } = form.formState
  const field = (name: keyof typeof emptyCode) => ({ error: errors[name]?.message, ...form.register(name) })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['code', 'percentOff', 'amountOff', 'minimum', 'startsOn', 'endsOn', 'maxUses'],
    send: (body) => callApi(addDiscountCode, { body }),
    async onDone({ code }) {
      toast('Code added', { detail: code })
      form.reset(emptyCode)
      await onSaved()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-3">
      <Field
        label="Code"
        id="new-code"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="characters"
        className="figures uppercase"
        hint="Letters, digits and hyphens"
        required
        {...field('code')}
      />
      <NumberField label="Percent off" hint="Or an amount" {...field('percentOff')} />
      <NumberField label="Amount off" {...moneyFieldProps()} hint="Or a percentage" {...field('amountOff')} />
      <NumberField label="For goods from" optional {...moneyFieldProps()} {...field('minimum')} />
      <Field label="First day" optional type="date" hint={`In time zone ${storeTimeZone()}; empty: now`} {...field('startsOn')} />
      <Field label="Last day" optional type="date" hint={`In time zone ${storeTimeZone()}; empty: no end`} {...field('endsOn')} />
      <NumberField label="Uses in all" optional hint="Empty: any number of orders" {...field('maxUses')} />
      <div className="sm:col-span-3">
        <Button type="submit" busy={isSubmitting} busyLabel="Adding">
          Add code
        </Button>
      </div>
      {refusal && (
        <div className="sm:col-span-3">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

type CodeRowProps = { code: DiscountCode; loadedAt: number; onEnd: () => void; onRestore: () => void }

function CodeRow({ code, loadedAt, onEnd, onRestore }: CodeRowProps) {
  const { percentOff, amountOffCents, minimumCents, startsAt, endsAt, maxUses, uses } = code
  return (
    <Row>
      <Cell label="Code" isRowHeader className="figures">
        {code.code}
      </Cell>
      <Cell label="Takes off" isNumeric>
        {percentOff === null ? formatCents(amountOffCents ?? 0) : `${percentOff} %`}
      </Cell>
      <Cell label="For goods from" isNumeric>
        {minimumCents === 0 ? 'any' : <MoneyAmount amountCents={minimumCents} />}
      </Cell>
      <Cell label="From">
        <DateTime at={startsAt} />
      </Cell>
      <Cell label="To">{endsAt === null ? 'no end' : <DateTime at={lastMinuteBefore(endsAt)} />}</Cell>
      <Cell label="Uses" isNumeric>
        {formatNumber(uses)}
        {maxUses !== null && ` of ${formatNumber(maxUses)}`}
      </Cell>
      <Cell label="End">
        {isOver(endsAt, loadedAt) ? (
          <span className="flex flex-wrap items-center gap-2">
            <StatusBadge kind="neutral">Ended</StatusBadge>
            <Button dense variant="quiet" aria-label={`Bring back, ${code.code}`} onClick={onRestore}>
              Bring back
            </Button>
          </span>
        ) : (
          <span className="flex flex-wrap items-center gap-2">
            <Button dense variant="quiet" aria-label={`End, ${code.code}`} onClick={onEnd}>
              End
            </Button>
            {maxUses !== null && uses >= maxUses && <StatusBadge kind="neutral">Used up</StatusBadge>}
          </span>
        )}
      </Cell>
    </Row>
  )
}
