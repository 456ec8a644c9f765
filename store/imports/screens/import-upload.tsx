import { type ChangeEvent, type ReactNode, type SubmitEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type Import, importLimits, productFileColumnDocs, uploadImport } from '#store/imports/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { downloadFile } from '#web/download.ts'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { useSubmit } from '#web/use-submit.ts'

const columnDocs = [
  ...productFileColumnDocs,
  {
    name: 'specs.KEY',
    description: `One attribute in a column of its own: a number, yes or no, or a text; a|b is a list. Up to ${importLimits.attributes} of them`,
    example: '165',
    header: 'specs.height_mm',
  },
]

const formatCsvRow = (cells: string[]) =>
  `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
/** `available_quantity_seen` is left out: the template's product is new and has no stock yet. */
const templateColumns = columnDocs.filter(({ name }) => name !== 'specs' && name !== 'available_quantity_seen')
const templateCsv =
  formatCsvRow(templateColumns.map((column) => ('header' in column ? column.header : column.name))) +
  formatCsvRow(templateColumns.map(({ example }) => example))

type ImportUploadProps = { onSent: (sent: Import) => void | Promise<void>; children: ReactNode }

/** The upload form and the file format, with `children` between them. */
export function ImportUpload({ onSent, children }: ImportUploadProps) {
  return (
    <>
      <UploadForm onSent={onSent} />
      <Downloads />
      {children}
      <Table caption="Columns of the file" columns={[{ label: 'Column' }, { label: 'What it says' }, { label: 'Example' }]}>
        {columnDocs.map(({ name, description, example }) => (
          <Row key={name}>
            <Cell label="Column" isRowHeader className="figures">
              {name}
            </Cell>
            <Cell label="What it says">{description}</Cell>
            <Cell label="Example" className="figures">
              {example}
            </Cell>
          </Row>
        ))}
      </Table>
      <p className="max-w-read text-soft">
        A column that the file does not have stays as it is in the catalogue. Products that the file does not name stay too. In NDJSON each
        line is one product as a JSON object with these names. A CSV file is written in UTF-8, with commas, semicolons or tabs.
      </p>
    </>
  )
}

function UploadForm({ onSent }: { onSent: (sent: Import) => void | Promise<void> }) {
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState<string>()
  const { submit, busy, refusal, setRefusal } = useSubmit({ send: sendFile, onDone: onSent })

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    setFile(target.files?.[0])
    setMissing(undefined)
    setRefusal(undefined)
  }

  async function check(event: SubmitEvent) {
    event.preventDefault()
    setRefusal(undefined)
    setMissing(file ? (file.size === 0 ? 'The file is empty' : undefined) : 'Choose a file')
    if (file && file.size > 0) await submit(file)
  }

  return (
    <form onSubmit={check} noValidate className="flex max-w-form flex-col gap-4">
      <Field
        id="file"
        type="file"
        label="File of products"
        className="cursor-pointer border-solid! border-edge! bg-panel! file:mr-3 file:cursor-pointer file:rounded file:border file:border-edge file:bg-tint file:px-3 file:py-1 file:font-semibold file:text-ink"
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.gz"
        onChange={choose}
        error={missing}
        hint={`CSV or NDJSON, gzipped or not: up to ${formatNumber(importLimits.rows)} rows, ${importLimits.columns} columns and ${importLimits.unpackedMegabytes} MB (${importLimits.uploadMegabytes} MB as sent)`}
      />
      <Button type="submit" busy={busy} busyLabel="Sending the file">
        Check the file
      </Button>
      {refusal && (
        <RefusalNotice refusal={refusal} ref={focusOnMount}>
          Nothing was imported.
        </RefusalNotice>
      )}
    </form>
  )
}

/** @throws {ApiError} also where the browser cannot read the file, such as one that was moved since it was chosen */
async function sendFile(file: File): Promise<Import> {
  const sent = await gzipIfLarge(file).catch(() => {
    throw new ApiError(0, { message: 'The file could not be read: choose it again' })
  })
  if (sent.size > importLimits.uploadMegabytes * 1024 * 1024)
    throw new ApiError(400, { message: fileTooLargeMessage, code: 'file_too_large' })
  return callApi(uploadImport, { querystring: { name: file.name.slice(0, 200) }, file: sent })
}

const fileTooLargeMessage = `The file is larger than ${importLimits.uploadMegabytes} MB, packed too: send it in parts`
const gzipThresholdBytes = 1_000_000

/** Gzips a large file to about a tenth of its size, because a request has half a minute to arrive. */
async function gzipIfLarge(file: File): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (file.size < gzipThresholdBytes || (first === 0x1f && second === 0x8b)) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

function Downloads() {
  const [asked, setAsked] = useState<string>()
  const { submit, busy, refusal } = useSubmit({
    send(format: string) {
      setAsked(format)
      return downloadFile(`/export?format=${format}`, `catalogue.${format}`)
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(templateCsv)}`}
          download="template.csv"
          className="font-medium text-leaf underline underline-offset-2 hover:text-ink"
        >
          Download a template with an example row
        </a>
        {(['csv', 'ndjson'] as const).map((format) => (
          <Button key={format} variant="quiet" dense busy={busy && asked === format} busyLabel="Downloading" onClick={() => submit(format)}>
            Export the catalogue as {format === 'csv' ? 'CSV' : 'NDJSON'}
          </Button>
        ))}
      </div>
      {refusal && <Notice kind="error" title={refusal.message} />}
    </div>
  )
}
