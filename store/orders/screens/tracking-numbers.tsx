import { type ChangeEvent, type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import {
  importTrackingNumbers,
  type TrackingReport,
  type TrackingRow,
  trackingFileLimits,
} from '#store/orders/shipments/carrier-files-contract.ts'
import { type Carrier, carriers, carrierText } from '#store/orders/shipments/carriers.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { SelectField } from '#web/select-field.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { carrierOptions } from './carrier-options.ts'

/** Takes over a carrier's file: it is checked first, and what the check says is done once that is confirmed. */
export function TrackingNumbers() {
  const [file, setFile] = useState('')
  const [carrier, setCarrier] = useState<Carrier>()
  const [report, setReport] = useState<TrackingReport>()
  const { submit, busy, refusal, setRefusal } = useSubmit({
    send: (run: boolean) => callApi(importTrackingNumbers, { body: { file, run, ...(carrier && { carrier }) } }),
    onDone: setReport,
  })
  function change(text: string) {
    setFile(text)
    setReport(undefined)
    setRefusal(undefined)
  }
  function check(event: FormEvent) {
    event.preventDefault()
    setReport(undefined)
    submit(false)
  }
  return (
    <Page
      title="Tracking Numbers"
      wide
      breadcrumbs={<Breadcrumbs steps={[{ label: 'To Send', to: '/dashboard/tosend' }, { label: 'Tracking Numbers' }]} />}
      lead="What the program of a carrier gives back. Nothing is changed before you have seen what each row does."
    >
      <form onSubmit={check} noValidate className="flex max-w-form flex-col gap-4">
        <ChooseFile onRead={change} />
        <PastedRows value={file} error={refusal?.errors.file} onChange={change} />
        <SelectField
          label="Carrier of rows that name none"
          options={carrierOptions('That of the parcel or the chosen delivery')}
          value={carrier ?? ''}
          onChange={({ target }) => {
            setCarrier(carriers.find((each) => each === target.value))
            setReport(undefined)
          }}
        />
        <Button type="submit" variant={report ? 'quiet' : 'action'} busy={busy && !report} busyLabel="Checking" className="self-start">
          Check
        </Button>
      </form>
      {refusal && !refusal.errors.file && (
        <RefusalNotice
          refusal={refusal}
          ref={focusOnMount}
          outcomeUnknown="We do not know which rows were done. Press again: none is done twice."
        >
          Press again: no row is done twice.
        </RefusalNotice>
      )}
      {report && <Report report={report} busy={busy} onRun={() => submit(true)} />}
    </Page>
  )
}

type PastedProps = { value: string; error: string | undefined; onChange: (text: string) => void }

const PastedRows = ({ value, error, onChange }: PastedProps) => (
  <Field
    label="Or paste its rows"
    rows={6}
    className="figures"
    spellCheck={false}
    value={value}
    onChange={(event: ChangeEvent<HTMLTextAreaElement>) => onChange(event.target.value)}
    error={error}
    hint={`Order number, tracking number and, if you like, carrier: with commas, semicolons or tabs, in this order or with a header. Up to ${formatNumber(trackingFileLimits.rows)} rows`}
  />
)

function ChooseFile({ onRead }: { onRead: (text: string) => void }) {
  const [error, setError] = useState<string>()
  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [chosen] = target.files ?? []
    if (!chosen) return
    const isTooLarge = chosen.size > trackingFileLimits.characters
    setError(isTooLarge ? 'This file is too large: split it' : undefined)
    if (isTooLarge) return
    await chosen.text().then(onRead, () => setError('The file could not be read: choose it again'))
  }
  return (
    <Field
      type="file"
      label="File of tracking numbers"
      className="cursor-pointer border-solid! border-edge! bg-panel! file:mr-3 file:cursor-pointer file:rounded file:border file:border-edge file:bg-tint file:px-3 file:py-1 file:font-semibold file:text-ink"
      accept=".csv,.tsv,.txt"
      onChange={choose}
      error={error}
    />
  )
}

const rowsInWords = (count: number) => (count === 1 ? '1 row' : `${formatNumber(count)} rows`)

/** What the rows do, or have done. */
function summaryOf({ counts, done }: TrackingReport): string {
  const said = [
    { count: counts.send, one: done ? 'has sent an order' : 'sends an order', more: done ? 'have sent orders' : 'send orders' },
    { count: counts.fill, one: done ? 'has filled a parcel' : 'fills a parcel', more: done ? 'have filled parcels' : 'fill parcels' },
    { count: counts.nothing, one: 'was done before', more: 'were done before' },
    { count: counts.refused, one: done ? 'was not done' : 'cannot be done', more: done ? 'were not done' : 'cannot be done' },
  ]
  return `${said.flatMap(({ count, one, more }) => (count > 0 ? [`${rowsInWords(count)} ${count === 1 ? one : more}`] : [])).join(', ')}.`
}

function Report({ report, busy, onRun }: { report: TrackingReport; busy: boolean; onRun: () => void }) {
  const { rows, counts, done } = report
  const toDo = counts.send + counts.fill
  const summary = summaryOf(report)
  return (
    <section aria-label="What the rows do" className="flex flex-col gap-4">
      <Notice
        key={`${done}`}
        ref={focusOnMount}
        kind={done ? 'success' : toDo > 0 ? 'info' : 'warning'}
        title={done ? 'The file is taken over' : toDo > 0 ? 'Nothing is changed yet' : 'No row of this file can be done'}
      >
        {summary}
      </Notice>
      {!done && toDo > 0 && (
        <div>
          <Button onClick={onRun} busy={busy} busyLabel="Taking over">
            Take over {rowsInWords(toDo)}
          </Button>
          <p className="mt-2 text-sm text-soft">Each buyer gets a mail.</p>
        </div>
      )}
      <Table
        caption="Rows of the file"
        columns={[{ label: 'Row' }, { label: 'Order' }, { label: 'Tracking number' }, { label: 'What it does' }]}
      >
        {inView(rows).map((row) => (
          <ReportRow key={row.row} row={row} done={done} />
        ))}
      </Table>
      {rows.length > maxRowsInView && (
        <p className="text-soft">
          These are the first {formatNumber(maxRowsInView)} of {formatNumber(rows.length)}, those that cannot be done first.
        </p>
      )}
    </section>
  )
}

const maxRowsInView = 500
/** All in the order of the file or, of more than are shown, those that cannot be done first. */
const inView = (rows: TrackingRow[]) =>
  rows.length <= maxRowsInView
    ? rows
    : rows.toSorted((a, b) => Number(b.action === 'refused') - Number(a.action === 'refused')).slice(0, maxRowsInView)
const kinds = { send: 'good', fill: 'good', nothing: 'neutral', refused: 'bad' } as const
const labels = { send: 'Send', fill: 'Fill', nothing: 'Nothing', refused: 'Not done' } as const
const doneLabels = { ...labels, send: 'Sent', fill: 'Filled' }

function ReportRow({ row: { row, order, carrier, trackingNumber, action, text, warning }, done }: { row: TrackingRow; done: boolean }) {
  return (
    <Row className="@3xl:*:align-top">
      <Cell label="Row" isRowHeader className="figures">
        {formatNumber(row)}
      </Cell>
      <Cell label="Order" className="figures wrap-anywhere">
        {order || 'none'}
      </Cell>
      <Cell label="Tracking number" className="wrap-anywhere">
        <span className="figures">{carrierText({ carrier, trackingNumber }) || 'none'}</span>
        {warning && <span className="block text-soft">{warning}</span>}
      </Cell>
      <Cell label="What it does" className="wrap-anywhere">
        <StatusBadge kind={kinds[action]}>{done ? doneLabels[action] : labels[action]}</StatusBadge> {text}
      </Cell>
    </Row>
  )
}
