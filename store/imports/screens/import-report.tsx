import { type ReactNode, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { changesByStockChoice, type Import, type ImportReport, importLimits, type StockUpdateMode } from '#store/imports/contract.ts'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Notice } from '#web/notice.tsx'
import { Panel } from '#web/panel.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { pluralize } from './pluralize.ts'
import { type ImportOptions, RunImportForm } from './run-import-form.tsx'

type ImportReportViewProps = { importRun: Import; report: ImportReport; onRun: (wish: ImportOptions) => Promise<void> }

/** The report of a check or an import; with the button to import while the state is `checked`. */
export function ImportReportView({ importRun, report, onRun }: ImportReportViewProps) {
  const open = importRun.state === 'checked'
  const [again, setAgain] = useState(false)
  const [stock, setStock] = useState<StockUpdateMode>()
  const changes = open ? changesByStockChoice(report.changes, { stock, movesStock: !importRun.stockMovedAt || again }) : []
  return (
    <>
      <ReportCounts report={open && stock === 'keep' ? withStockKept(report) : report} open={open} />
      {report.ignored.length > 0 && (
        <Notice kind="info" title={pluralize(report.ignored.length, 'column is ignored', 'columns are ignored')}>
          <span className="wrap-anywhere">{report.ignored.join(', ')}</span>
        </Notice>
      )}
      {report.shortPieces > 0 && (
        <Notice
          kind="info"
          title={`${pluralize(report.shortPieces, 'piece', 'pieces')} fewer than the file takes away ${open ? 'are' : 'were'} there`}
        >
          They were sold since the file was made. The stock of those products {open ? 'becomes' : 'is'} 0.
        </Notice>
      )}
      {open && (
        <RunImportForm
          report={report}
          stockMovedAt={importRun.stockMovedAt}
          onRun={onRun}
          again={again}
          setAgain={setAgain}
          stock={stock}
          setStock={setStock}
        />
      )}
      <IssueTable caption="What is wrong" what="Expected" found={report.reasons} />
      {report.wrongRows.length > 0 && <InvalidRows report={report} />}
      <IssueTable caption="Worth a look: these rows are taken as they are" what="What" found={report.warnings} />
      <IssueTable caption="Mended: these values are written as the catalogue writes them" what="What" found={report.mends ?? []} />
      {changes.length > 0 && <ChangesTable changes={changes} />}
    </>
  )
}

const withStockKept = (report: ImportReport): ImportReport => ({
  ...report,
  update: report.update - report.setsStockOnly,
  unchanged: report.unchanged + report.setsStockOnly,
})

/** Errors or warnings, grouped by message, each with its first row. */
function IssueTable({ caption, what, found }: { caption: string; what: string; found: ImportReport['reasons'] }) {
  if (found.length === 0) return null
  return (
    <Table
      caption={caption}
      columns={[
        { label: 'Column' },
        { label: what },
        { label: 'Found' },
        { label: 'First row', isNumeric: true },
        { label: 'sku' },
        { label: 'Times', isNumeric: true },
      ]}
    >
      {found.map(({ column, words, count, example }) => (
        <Row key={`${column} ${words}`}>
          <Cell label="Column" isRowHeader className="figures">
            {column || 'whole row'}
          </Cell>
          <Cell label={what}>{words}</Cell>
          <Cell label="Found" className="figures wrap-anywhere">
            {example.found || 'nothing'}
          </Cell>
          <Cell label="First row" isNumeric>
            {formatNumber(example.row)}
          </Cell>
          <Cell label="sku" className="figures wrap-anywhere">
            {example.sku ?? 'unknown'}
          </Cell>
          <Cell label="Times" isNumeric>
            {formatNumber(count)}
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function ReportCounts({ report: { rows, create, update, unchanged, wrong }, open }: { report: ImportReport; open: boolean }) {
  return (
    <section aria-labelledby="counts" className="flex flex-col gap-3">
      <h2 id="counts" tabIndex={-1} ref={open ? focusOnMount : undefined} className="text-xl">
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
    <Panel padding="close">
      <dt className="text-soft">{label}</dt>
      <dd className="figures text-xl">{formatNumber(children)}</dd>
    </Panel>
  )
}

const maxRowsShown = 50

function InvalidRows({ report: { wrongRows, wrong } }: { report: ImportReport }) {
  const list = wrongRows.map(({ row, sku, column, found, expected }) => [`${row}`, sku ?? '', column, found, expected])
  const asCsv = [['row', 'sku', 'column', 'found', 'expected'], ...list].map((cells) => cells.map(escapeCsvCell).join(',')).join('\r\n')
  return (
    <details className="flex flex-col gap-3">
      <summary className="min-h-6 cursor-pointer font-medium">Show the wrong rows one by one</summary>
      <div className="mt-3 flex flex-col gap-3">
        <p className="text-soft">
          {wrongRows.length > maxRowsShown ? `The first ${maxRowsShown} of ${formatNumber(wrong)}. ` : ''}
          <a
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(asCsv)}`}
            download="wrong-rows.csv"
            className="font-medium text-leaf underline underline-offset-2 hover:text-ink"
          >
            Download the list
            {wrong > importLimits.reportedInvalidFields ? ` of the first ${formatNumber(importLimits.reportedInvalidFields)}` : ''}
          </a>
        </p>
        <Table
          caption="Wrong rows"
          columns={[{ label: 'Row', isNumeric: true }, { label: 'sku' }, { label: 'Column' }, { label: 'Found' }, { label: 'Expected' }]}
        >
          {wrongRows.slice(0, maxRowsShown).map(({ row, sku, column, found, expected }) => (
            <Row key={`${row} ${column}`}>
              <Cell label="Row" isRowHeader isNumeric>
                {formatNumber(row)}
              </Cell>
              <Cell label="sku" className="figures wrap-anywhere">
                {sku ?? 'unknown'}
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

/**
 * Escapes a cell of the downloaded error list, so that the content of the uploaded file cannot run as a formula in a spreadsheet (CSV
 * injection).
 */
const escapeCsvCell = (cell: string) => `"${(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`

function ChangesTable({ changes }: { changes: ImportReport['changes'] }) {
  return (
    <Table
      caption={changes.length < importLimits.reportedChanges ? 'Changes' : `The first ${importLimits.reportedChanges} changes`}
      columns={[{ label: 'sku' }, { label: 'Field' }, { label: 'Now' }, { label: 'After the import' }]}
    >
      {changes.map(({ sku, field, before, after }) => (
        <Row key={`${sku} ${field}`}>
          <Cell label="sku" isRowHeader className="figures">
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
