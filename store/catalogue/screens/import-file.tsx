import { type ChangeEvent, type SubmitEvent, useState } from 'react'
import { type Import, importLimits, sendImport } from '#store/catalogue/contract.ts'
import { SignInEnded } from '#store/identity/screens/sign-in-ended.tsx'
import { inFigures } from '#store/in-figures.ts'
import { Button } from '#web/button.tsx'
import { download } from '#web/download.ts'
import { Field } from '#web/field.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { Refusal } from '#web/refusal.ts'
import { Cell, Row } from '#web/row.tsx'
import { send } from '#web/send.ts'
import { Table } from '#web/table.tsx'

const columns = [
  { name: 'sku', says: 'The key: a product with this sku is changed, otherwise a new one is made', example: 'COOLER-15' },
  { name: 'name', says: 'Up to 200 characters. A new product needs it', example: 'Noctua NH-D15' },
  { name: 'brand', says: 'The maker', example: 'Noctua' },
  { name: 'mpn', says: "The maker's part number, as text", example: 'NH-D15' },
  { name: 'category', says: 'The key of a category, such as cpu-cooler', example: 'cpu-cooler' },
  { name: 'description', says: 'Up to 5,000 characters. Where it is empty the name stands there', example: 'Two towers, two fans.' },
  { name: 'img', says: 'An address that begins with https:// or /. Where it is empty the drawing of the category is shown', example: '' },
  { name: 'price', says: 'Whole dollars for one piece. A new product needs it', example: '110' },
  { name: 'minimum_order_quantity', says: 'Pieces. A new product needs it', example: '5' },
  { name: 'available_quantity', says: 'Pieces that can be sold. A new product needs it', example: '120' },
  {
    name: 'available_quantity_seen',
    says: 'The stock when the file was made, as an export writes it: leave it as it is. The difference to available_quantity is added to the stock of now, so what was sold meanwhile stays sold. Export anew for the next change',
    example: '120',
  },
  { name: 'specs', says: 'What else is known, as a JSON object', example: '{"height_mm": 165}' },
  {
    name: 'specs.KEY',
    says: `One attribute in a column of its own: a number, yes or no, or a text; a|b is a list. Up to ${importLimits.attributes} of them`,
    example: '165',
    header: 'specs.height_mm',
  },
]

const written = (cells: string[]) => `${cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
/** The template's product is new: no stock of it was seen. */
const inTemplate = columns.filter(({ name }) => name !== 'specs' && name !== 'available_quantity_seen')
const template = written(inTemplate.map(({ name, header }) => header ?? name)) + written(inTemplate.map(({ example }) => example))

/** What can be sent, and the form to send it. */
export function ImportFile({ onSent }: { onSent: (sent: Import) => void }) {
  return (
    <>
      <SendForm onSent={onSent} />
      <Downloads />
      <Table caption="Columns of the file" head={[{ label: 'Column' }, { label: 'What it says' }, { label: 'Example' }]}>
        {columns.map(({ name, says, example }) => (
          <Row key={name}>
            <Cell label="Column" head className="figures">
              {name}
            </Cell>
            <Cell label="What it says">{says}</Cell>
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

function SendForm({ onSent }: { onSent: (sent: Import) => void }) {
  const [file, setFile] = useState<File>()
  const [missing, setMissing] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [sending, setSending] = useState(false)

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    setFile(target.files?.[0])
    setMissing(undefined)
    setRefusal(undefined)
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    setRefusal(undefined)
    setMissing(file ? (file.size === 0 ? 'The file is empty' : undefined) : 'Choose a file')
    if (!file || file.size === 0) return
    setSending(true)
    try {
      const sent = await packed(file)
      if (sent.size > importLimits.sentMegabytes * 1024 * 1024) throw new Refusal(400, { message: tooLarge })
      onSent(await send(sendImport, { querystring: { name: file.name.slice(0, 200) }, file: sent }))
    } catch (refusal) {
      setSending(false)
      setRefusal(refusal instanceof Refusal ? refusal : new Refusal(0, { message: 'The file could not be read: choose it again' }))
    }
  }

  return (
    <form onSubmit={submit} noValidate className="flex max-w-form flex-col gap-4">
      <Field
        id="file"
        type="file"
        label="File of products"
        className="cursor-pointer border-solid! border-edge! bg-panel! file:mr-3 file:cursor-pointer file:rounded file:border file:border-edge file:bg-tint file:px-3 file:py-1 file:font-semibold file:text-ink"
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,.gz"
        onChange={choose}
        error={missing}
        hint={`CSV or NDJSON, gzipped or not: up to ${inFigures(importLimits.rows)} rows, ${importLimits.columns} columns and ${importLimits.unpackedMegabytes} MB (${importLimits.sentMegabytes} MB as sent)`}
      />
      <Button type="submit" busy={sending} busyWords="Sending the file">
        Check the file
      </Button>
      {refusal &&
        (refusal.status === 401 ? (
          <SignInEnded />
        ) : (
          <Notice kind="error" title={refusal.message} ref={focused}>
            Nothing was imported.
          </Notice>
        ))}
    </form>
  )
}

const tooLarge = `The file is larger than ${importLimits.sentMegabytes} MB, packed too: send it in parts`
const packedFromBytes = 1_000_000

/** A large file travels gzipped, which is a tenth of it: a request has half a minute to arrive. */
async function packed(file: File): Promise<Blob> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (file.size < packedFromBytes || (first === 0x1f && second === 0x8b)) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

function Downloads() {
  const [busy, setBusy] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  async function fetchCatalogue(format: string) {
    setBusy(format)
    setRefusal(undefined)
    try {
      await download(`/export?format=${format}`, `catalogue.${format}`)
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setRefusal(refusal)
    } finally {
      setBusy(undefined)
    }
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <a
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(template)}`}
          download="template.csv"
          className="font-medium text-leaf underline underline-offset-2 hover:text-ink"
        >
          Download a template with an example row
        </a>
        {(['csv', 'ndjson'] as const).map((format) => (
          <Button key={format} look="quiet" dense busy={busy === format} busyWords="Downloading" onClick={() => fetchCatalogue(format)}>
            Export the catalogue as {format === 'csv' ? 'CSV' : 'NDJSON'}
          </Button>
        ))}
      </div>
      {refusal && <Notice kind="error" title={refusal.message} />}
    </div>
  )
}
