import { type SubmitEvent, useState } from 'react'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { importStatement, type StatementSummary, statementLimits } from '#store/orders/bank/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'

const columnFields = [
  { name: 'date', label: 'Day of booking' },
  { name: 'amount', label: 'Amount' },
  { name: 'payer', label: 'Name' },
  { name: 'payerIban', label: 'IBAN of the payer' },
  { name: 'text', label: 'Purpose' },
  { name: 'bankReference', label: "The bank's reference" },
] as const

/** The form that imports a statement, and what has come of the last one. */
export function StatementUpload({ onDone }: { onDone: () => Promise<void> }) {
  const [missing, setMissing] = useState<string>()
  const [summary, setSummary] = useState<StatementSummary>()
  const { submit, busy, refusal } = useSubmit({
    send,
    async onDone(imported: StatementSummary) {
      setSummary(imported)
      await onDone()
    },
  })

  async function check(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const file = form.get('file')
    const isChosen = file instanceof File && file.size > 0
    setMissing(isChosen ? undefined : 'Choose a file')
    setSummary(undefined)
    const again = form.get('again') === 'on'
    if (isChosen)
      await submit({ file, again, columns: Object.fromEntries(columnFields.map(({ name }) => [name, `${form.get(name) ?? ''}`])) })
  }

  return (
    <form onSubmit={check} noValidate className="flex max-w-form flex-col gap-4">
      <Field
        name="file"
        type="file"
        label="Statement of the account"
        className="cursor-pointer border-solid! border-edge! bg-panel! file:mr-3 file:cursor-pointer file:rounded file:border file:border-edge file:bg-tint file:px-3 file:py-1 file:font-semibold file:text-ink"
        accept=".xml,.csv,.txt"
        onChange={() => setMissing(undefined)}
        error={missing}
        hint={`CAMT.053 (XML) or the bank's CSV, up to ${statementLimits.megabytes} MB. What was imported before is known and not booked again`}
      />
      <ColumnsOfCsv />
      {refusal?.code === 'entries_alike' && (
        <label className="flex min-h-6 items-start gap-3">
          <input type="checkbox" name="again" className="mt-0.5 size-5 shrink-0 accent-leaf" />
          All of it has come besides: import it all the same
        </label>
      )}
      <div>
        <Button type="submit" busy={busy} busyLabel="Importing">
          Import the statement
        </Button>
      </div>
      {refusal && (
        <RefusalNotice refusal={refusal} ref={focusOnMount}>
          Nothing was imported.
        </RefusalNotice>
      )}
      {summary && <Summary {...summary} />}
    </form>
  )
}

const ColumnsOfCsv = () => (
  <details>
    <summary className="min-h-6 cursor-pointer font-medium">Columns of a CSV file</summary>
    <div className="mt-3 flex flex-col gap-4">
      <p className="text-sm text-soft">Only where the file names them otherwise than banks mostly do.</p>
      {columnFields.map(({ name, label }) => (
        <Field key={name} name={name} label={label} optional autoComplete="off" maxLength={60} />
      ))}
    </div>
  </details>
)

type Upload = { file: File; again: boolean; columns: Record<string, string> }

/** @throws {ApiError} also where the browser cannot read the file, such as one that was moved since it was chosen */
async function send({ file, again, columns }: Upload): Promise<StatementSummary> {
  if (file.size > statementLimits.megabytes * 1024 * 1024)
    throw new ApiError(400, {
      message: `The file is larger than ${statementLimits.megabytes} MB: load the statement from the bank in smaller parts`,
      code: 'file_too_large',
    })
  const named = Object.fromEntries(Object.entries(columns).filter(([, heading]) => heading.trim() !== ''))
  return callApi(importStatement, { querystring: { name: file.name.slice(0, 200), again: again ? 'true' : 'false', ...named }, file })
}

function Summary({ added, known, booked, waiting, debits }: StatementSummary) {
  const parts = [
    ...(added > 0 ? [`${booked} booked`, `${waiting} to be assigned`] : []),
    ...(debits > 0 ? [`${debits} that ${debits === 1 ? 'has' : 'have'} left the account`] : []),
    ...(known > 0 ? [`${known} ${known === 1 ? 'was' : 'were'} known`] : []),
  ]
  return (
    <Notice
      kind="success"
      title={added === 0 ? 'Nothing in the file is new' : `${added === 1 ? '1 new entry' : `${added} new entries`}`}
      ref={focusOnMount}
    >
      {parts.join(', ')}.
    </Notice>
  )
}
