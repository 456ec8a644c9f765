import { useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type DocumentMonth, loadDocumentArchive, missingFilesHeader } from '#store/orders/documents/archive/contract.ts'
import { Button } from '#web/button.tsx'
import { downloadFile } from '#web/download.ts'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { useSubmit } from '#web/use-submit.ts'

type DocumentMonthsProps = {
  months: DocumentMonth[]
  /** how many documents are still to be issued */
  waiting: number
}

/** For the accountant: all documents of a month in one file. */
export function DocumentMonths({ months, waiting }: DocumentMonthsProps) {
  return (
    <Panel as="section" aria-labelledby="months" className="flex max-w-read flex-col gap-4">
      <h2 id="months" className="text-xl">
        For the accountant
      </h2>
      <p>
        All invoices and credit notes of a month in one ZIP: each as PDF and XML, and a list of them for spreadsheets. Only owners can load
        it.
        {waiting > 0 && ` ${waiting === 1 ? '1 document is' : `${formatNumber(waiting)} documents are`} still to be issued.`}
      </p>
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {months.map((month) => (
          <li key={month.month} className="py-3">
            <MonthItem month={month} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** 2026-11 is "Nov 2026". */
const monthName = (month: string): string => formatDay(`${month}-01`).replace(/^\d+ /, '')

const countOf = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${formatNumber(count)} ${one}s`)

function MonthItem({ month: { month, invoices, creditNotes, withoutFiles } }: { month: DocumentMonth }) {
  const [missing, setMissing] = useState(0)
  const { submit, busy, refusal } = useSubmit({
    send: () => downloadFile(`${loadDocumentArchive.url}?month=${month}`, `documents-${month}.zip`),
    onDone: (headers) => setMissing(Number(headers.get(missingFilesHeader) ?? 0)),
  })
  const name = monthName(month)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <span className="block font-medium">{name}</span>
          <span className="block text-sm text-soft">
            {invoices !== null && countOf(invoices, 'invoice')}
            {creditNotes !== null && creditNotes > 0 && `, ${countOf(creditNotes, 'credit note')}`}
            {withoutFiles > 0 && `, of which ${formatNumber(withoutFiles)} ${withoutFiles === 1 ? 'is' : 'are'} still being made`}
          </span>
        </p>
        <Button dense variant="quiet" busy={busy} busyLabel="Loading" aria-label={`ZIP of ${name}`} onClick={() => submit()}>
          ZIP
        </Button>
      </div>
      {missing > 0 && (
        <Notice kind="warning" title={`The ZIP is not complete: ${countOf(missing, 'document')} could not be made yet`}>
          The list in it names them. Load the month again in an hour.
        </Notice>
      )}
      {refusal && <RefusalNotice refusal={refusal}>Nothing was loaded.</RefusalNotice>}
    </div>
  )
}
