import { type ReactNode, useState } from 'react'
import { type Import, type ImportReport, importLimits, type StockChoice } from '#store/catalogue/contract.ts'
import { inFigures } from '#store/in-figures.ts'
import { Button } from '#web/button.tsx'
import { focused } from '#web/focused.ts'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { Cell, Row } from '#web/row.tsx'
import { Table } from '#web/table.tsx'
import { When } from '#web/when.tsx'

export const many = (number: number, one: string, more: string): string => `${inFigures(number)} ${number === 1 ? one : more}`

export type RunWish = { skipWrong: boolean; again: boolean; stock: StockChoice | undefined }
type FoundProps = { at: Import; report: ImportReport; onRun: (wish: RunWish) => Promise<void> }

/** What a check has found; while it is not imported, with the button that does so. */
export function Found({ at, report, onRun }: FoundProps) {
  const open = at.state === 'checked'
  return (
    <>
      <Counts report={report} open={open} />
      {report.ignored.length > 0 && (
        <Notice kind="info" title={many(report.ignored.length, 'column is ignored', 'columns are ignored')}>
          <span className="wrap-anywhere">{report.ignored.join(', ')}</span>
        </Notice>
      )}
      {report.shortPieces > 0 && (
        <Notice
          kind="info"
          title={`${many(report.shortPieces, 'piece', 'pieces')} fewer than the file takes away ${open ? 'are' : 'were'} there`}
        >
          They were sold since the file was made. The stock of those products {open ? 'becomes' : 'is'} 0.
        </Notice>
      )}
      {open && <Run report={report} stockMovedAt={at.stockMovedAt} onRun={onRun} />}
      <Grouped caption="What is wrong" what="Expected" found={report.reasons} />
      {report.wrongRows.length > 0 && <WrongRows report={report} />}
      <Grouped caption="Worth a look: these rows are taken as they are" what="What" found={report.warnings} />
      {open && report.changes.length > 0 && <Changes changes={report.changes} />}
    </>
  )
}

/** What was found of one kind, each thing once, with the first row where it stands. */
function Grouped({ caption, what, found }: { caption: string; what: string; found: ImportReport['reasons'] }) {
  if (found.length === 0) return null
  return (
    <Table
      caption={caption}
      head={[
        { label: 'Column' },
        { label: what },
        { label: 'Found' },
        { label: 'First row', figures: true },
        { label: 'Times', figures: true },
      ]}
    >
      {found.map(({ column, words, count, example }) => (
        <Row key={`${column} ${words}`}>
          <Cell label="Column" head className="figures">
            {column || 'whole row'}
          </Cell>
          <Cell label={what}>{words}</Cell>
          <Cell label="Found" className="figures wrap-anywhere">
            {example.found || 'nothing'}
          </Cell>
          <Cell label="First row" figures>
            {inFigures(example.row)}
          </Cell>
          <Cell label="Times" figures>
            {inFigures(count)}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function Counts({ report: { rows, create, update, unchanged, wrong }, open }: { report: ImportReport; open: boolean }) {
  return (
    <section aria-labelledby="counts" className="flex flex-col gap-3">
      <h2 id="counts" tabIndex={-1} ref={open ? focused : undefined} className="text-xl">
        {open ? 'What would change' : 'What the file said'}
      </h2>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-5">
        <Count label="Rows">{rows}</Count>
        <Count label="New">{create}</Count>
        <Count label="Changed">{update}</Count>
        <Count label="Unchanged">{unchanged}</Count>
        <Count label="Wrong">{wrong}</Count>
      </dl>
    </section>
  )
}

function Count({ label, children }: { label: string; children: number }): ReactNode {
  return (
    <Panel room="close">
      <dt className="text-soft">{label}</dt>
      <dd className="figures text-xl">{inFigures(children)}</dd>
    </Panel>
  )
}

type RunProps = Pick<FoundProps, 'report' | 'onRun'> & Pick<Import, 'stockMovedAt'>

function Run({ report, stockMovedAt, onRun }: RunProps) {
  const { create, update, unchanged, wrong, setsStock, setsStockOnly, movesStock } = report
  const [skipWrong, setSkipWrong] = useState(false)
  const [again, setAgain] = useState(false)
  const [stock, setStock] = useState<StockChoice>()
  const [running, setRunning] = useState(false)
  const products = create + update - (stock === 'keep' ? setsStockOnly : 0)
  const reasons = [
    ...(wrong > 0 && !skipWrong
      ? ['All of it or nothing is imported: mend the wrong rows and send the file again, or leave them out.']
      : []),
    ...(setsStock > 0 && !stock ? ['Choose what becomes of the stock.'] : []),
    ...(stockMovedAt && !again ? ['Export anew and make your changes there, or say that the stock is to change again.'] : []),
    ...(products === 0 ? ['Nothing else in the file is different from the catalogue.'] : []),
  ]
  if (create + update === 0 && wrong > 0)
    return (
      <Notice
        kind="warning"
        title={`${many(wrong, 'row is', 'rows are')} wrong, ${unchanged > 0 ? 'the others say what the catalogue says already' : 'and there is no other'}`}
      >
        Nothing can be imported. Mend what stands below and send the file again.
      </Notice>
    )
  if (create + update === 0)
    return (
      <Notice kind="info" title="There is nothing to import">
        The catalogue says all of this already.
      </Notice>
    )

  async function run() {
    setRunning(true)
    await onRun({ skipWrong, again, stock }).finally(() => setRunning(false))
  }

  return (
    <div className="flex max-w-form flex-col gap-3">
      {wrong > 0 && (
        <Tick checked={skipWrong} onChange={setSkipWrong}>
          Leave out {wrong === 1 ? 'the wrong row' : `the ${inFigures(wrong)} wrong rows`}
        </Tick>
      )}
      {stockMovedAt && (
        <>
          <Notice kind="info" title="This file was imported before">
            On <When at={stockMovedAt} />: its changes of stock are in already.
          </Notice>
          <Tick checked={again} onChange={setAgain}>
            Change the stock of {many(movesStock, 'product', 'products')} again
          </Tick>
        </>
      )}
      {setsStock > 0 && <AskForStock products={setsStock} chosen={stock} onChoose={setStock} />}
      {reasons.length > 0 && (
        <p role="status" id="why-not" className="text-soft">
          {reasons.join(' ')}
        </p>
      )}
      <Button onClick={run} busy={running} busyWords="Importing" disabled={reasons.length > 0} aria-describedby="why-not">
        Import {many(products, 'product', 'products')}
      </Button>
    </div>
  )
}

type TickProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

const Tick = ({ checked, onChange, children }: TickProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} className="size-5 shrink-0 accent-leaf" />
    {children}
  </label>
)

type AskForStockProps = { products: number; chosen: StockChoice | undefined; onChoose: (choice: StockChoice) => void }

/** A file without the stock that its author saw would bring back what was sold since, so nothing is chosen beforehand. */
function AskForStock({ products, chosen, onChoose }: AskForStockProps) {
  const choices: { value: StockChoice; words: string }[] = [
    { value: 'keep', words: `Leave the stock of ${products === 1 ? 'this product' : 'these products'} as it is` },
    { value: 'set', words: 'Set the stock to what the file says, whatever was sold since it was made' },
  ]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">The file would set the stock of {many(products, 'product', 'products')}</legend>
      {choices.map(({ value, words }) => (
        <label
          key={value}
          className="flex min-h-11 items-center gap-3 rounded border border-edge bg-panel px-3 py-2 hover:border-ink has-checked:border-leaf has-checked:bg-tint"
        >
          <input
            type="radio"
            name="stock"
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="size-5 shrink-0 accent-leaf"
          />
          {words}
        </label>
      ))}
      <p className="text-soft">
        A file with the column <span className="figures">available_quantity_seen</span>, as an export has it, adds the difference instead
        and asks nothing.
      </p>
    </fieldset>
  )
}

const shownAtOnce = 50

function WrongRows({ report: { wrongRows, wrong } }: { report: ImportReport }) {
  const list = wrongRows.map(({ row, column, found, expected }) => [`${row}`, column, found, expected])
  const asCsv = [['row', 'column', 'found', 'expected'], ...list].map((cells) => cells.map(safeCell).join(',')).join('\r\n')
  return (
    <details className="flex flex-col gap-3">
      <summary className="min-h-6 cursor-pointer font-medium">Show the wrong rows one by one</summary>
      <div className="mt-3 flex flex-col gap-3">
        <p className="text-soft">
          {wrongRows.length > shownAtOnce ? `The first ${shownAtOnce} of ${inFigures(wrong)}. ` : ''}
          <a
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(asCsv)}`}
            download="wrong-rows.csv"
            className="font-medium text-leaf underline underline-offset-2 hover:text-ink"
          >
            Download the list{wrong > importLimits.shownWrong ? ` of the first ${inFigures(importLimits.shownWrong)}` : ''}
          </a>
        </p>
        <Table
          caption="Wrong rows"
          head={[{ label: 'Row', figures: true }, { label: 'Column' }, { label: 'Found' }, { label: 'Expected' }]}
        >
          {wrongRows.slice(0, shownAtOnce).map(({ row, column, found, expected }) => (
            <Row key={`${row} ${column}`}>
              <Cell label="Row" head figures>
                {inFigures(row)}
              </Cell>
              <Cell label="Column" className="figures">
                {column || 'whole row'}
              </Cell>
              <Cell label="Found" className="figures wrap-anywhere">
                {found || 'nothing'}
              </Cell>
              <Cell label="Expected">{expected}</Cell>
            </Row>
          ))}
        </Table>
      </div>
    </details>
  )
}

/** What stands in a file that somebody sent must not run as a formula when its faults are read in a spreadsheet. */
const safeCell = (cell: string) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`

function Changes({ changes }: { changes: ImportReport['changes'] }) {
  return (
    <Table
      caption={changes.length < importLimits.shownChanges ? 'Changes' : `The first ${importLimits.shownChanges} changes`}
      head={[{ label: 'sku' }, { label: 'Field' }, { label: 'Now' }, { label: 'After the import' }]}
    >
      {changes.map(({ sku, field, before, after }) => (
        <Row key={`${sku} ${field}`}>
          <Cell label="sku" head className="figures">
            {sku}
          </Cell>
          <Cell label="Field">{field}</Cell>
          <Cell label="Now" className="figures wrap-anywhere">
            {before || 'nothing'}
          </Cell>
          <Cell label="After the import" className="figures wrap-anywhere">
            {after || 'nothing'}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
