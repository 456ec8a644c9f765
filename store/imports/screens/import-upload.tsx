import { type ChangeEvent, type SubmitEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type Import, importLimits, uploadImport } from '#store/imports/contract.ts'
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
  { name: 'sku', description: 'The key: a product with this sku is changed, otherwise a new one is made', example: 'COOLER-15' },
  { name: 'name', description: 'Up to 200 characters. A new product needs it', example: 'Noctua NH-D15' },
  { name: 'brand', description: 'The maker', example: 'Noctua' },
  { name: 'mpn', description: "The maker's part number, as text", example: 'NH-D15' },
  { name: 'category', description: 'The key of a category, such as cpu-cooler', example: 'cpu-cooler' },
  { name: 'description', description: 'Up to 5,000 characters. Where it is empty the name stands there', example: 'Two towers, two fans.' },
  {
    name: 'img',
    description: 'An address that begins with https:// or /. Where it is empty the drawing of the category is shown',
    example: '',
  },
  { name: 'price', description: 'The price of one piece, with at most two decimals. A new product needs it', example: '12.35' },
  {
    name: 'price_breaks',
    description: 'Lower prices of one piece from a quantity on, up to ten. In NDJSON a list of {"min_quantity": 25, "price": 11.3}',
    example: '25: 11.30; 100: 10.83',
  },
  { name: 'minimum_order_quantity', description: 'Pieces. A new product needs it', example: '5' },
  {
    name: 'order_multiple',
    description: 'Pieces in a pack, where only whole packs are sold. The minimum is a multiple of it',
    example: '5',
  },
  { name: 'available_quantity', description: 'Pieces that can be sold. A new product needs it', example: '120' },
  {
    name: 'available_quantity_seen',
    description:
      'The stock when the file was made, as an export writes it: leave it as it is. The difference to available_quantity is added to the stock of now, so what was sold meanwhile stays sold. Export anew for the next change',
    example: '120',
  },
  {
    name: 'incoming',
    description: 'Pieces that are on their way, and the day on which they arrive. In NDJSON {"quantity": 200, "date": "2026-12-12"}',
    example: '200 on 2026-12-12',
  },
  { name: 'weight_g', description: 'Grams of one piece with its packing', example: '620' },
  { name: 'gtin', description: 'The number under the bar code: 8, 12, 13 or 14 digits', example: '4006381333931' },
  { name: 'hs_code', description: 'For customs: 6 to 10 digits', example: '847330' },
  { name: 'origin_country', description: 'Where it was made: two letters', example: 'TW' },
  { name: 'specs', description: 'What else is known, as a JSON object', example: '{"height_mm": 165}' },
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
  formatCsvRow(templateColumns.map(({ name, header }) => header ?? name)) + formatCsvRow(templateColumns.map(({ example }) => example))

/** The file format and the upload form. */
export function ImportUpload({ onSent }: { onSent: (sent: Import) => void | Promise<void> }) {
  return (
    <>
      <UploadForm onSent={onSent} />
      <Downloads />
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
  const { submit, busy, refusal, setRefusal } = useSubmit({ send: sendFile, onDone: onSent, isToasted: false })

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
    isToasted: false,
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
