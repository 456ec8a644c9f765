import { type ReactNode, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import type { Import, ImportReport, StockUpdateMode } from '#store/imports/contract.ts'
import { Button } from '#web/button.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Notice } from '#web/notice.tsx'
import { pluralize } from './pluralize.ts'

export type ImportOptions = { skipWrong: boolean; again: boolean; stock: StockUpdateMode | undefined }

type RunImportFormProps = Pick<Import, 'stockMovedAt'> &
  Pick<ImportOptions, 'again' | 'stock'> & {
    report: ImportReport
    onRun: (options: ImportOptions) => Promise<void>
    setAgain: (again: boolean) => void
    setStock: (stock: StockUpdateMode) => void
  }

/** Imports a checked file, once everything that the check asks is answered. */
export function RunImportForm({ report, stockMovedAt, onRun, again, setAgain, stock, setStock }: RunImportFormProps) {
  const { create, update, wrong, setsStock, setsStockOnly, movesStock } = report
  const [skipWrong, setSkipWrong] = useState(false)
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
  if (create + update === 0) return <NothingToImportNotice report={report} />

  async function run() {
    setRunning(true)
    await onRun({ skipWrong, again, stock }).finally(() => setRunning(false))
  }

  return (
    <div className="flex max-w-form flex-col gap-3">
      {wrong > 0 && (
        <Checkbox checked={skipWrong} onChange={setSkipWrong}>
          Leave out {wrong === 1 ? 'the wrong row' : `the ${formatNumber(wrong)} wrong rows`}
        </Checkbox>
      )}
      {stockMovedAt && (
        <>
          <Notice kind="info" title="This file was imported before">
            On <DateTime at={stockMovedAt} />: its changes of stock are in already.
          </Notice>
          <Checkbox checked={again} onChange={setAgain}>
            Change the stock of {pluralize(movesStock, 'product', 'products')} again
          </Checkbox>
        </>
      )}
      {setsStock > 0 && <StockChoiceField productCount={setsStock} chosen={stock} onChoose={setStock} />}
      {reasons.length > 0 && (
        <p role="status" id="why-not" className="text-soft">
          {reasons.join(' ')}
        </p>
      )}
      <Button onClick={run} busy={running} busyLabel="Importing" disabled={reasons.length > 0} aria-describedby="why-not">
        Import {pluralize(products, 'product', 'products')}
      </Button>
    </div>
  )
}

function NothingToImportNotice({ report: { wrong, unchanged } }: { report: ImportReport }) {
  if (wrong > 0)
    return (
      <Notice
        kind="warning"
        title={`${pluralize(wrong, 'row is', 'rows are')} wrong, ${unchanged > 0 ? 'the others say what the catalogue says already' : 'and there is no other'}`}
      >
        Nothing can be imported. Mend what stands below and send the file again.
      </Notice>
    )
  return (
    <Notice kind="info" title="There is nothing to import">
      The catalogue says all of this already.
    </Notice>
  )
}

type CheckboxProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

const Checkbox = ({ checked, onChange, children }: CheckboxProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} className="size-5 shrink-0 accent-leaf" />
    {children}
  </label>
)

type StockChoiceFieldProps = { productCount: number; chosen: StockUpdateMode | undefined; onChoose: (choice: StockUpdateMode) => void }

/** No option is preselected: `set` would bring back units sold since the file was made. */
function StockChoiceField({ productCount, chosen, onChoose }: StockChoiceFieldProps) {
  const choices: { value: StockUpdateMode; words: string }[] = [
    { value: 'keep', words: `Leave the stock of ${productCount === 1 ? 'this product' : 'these products'} as it is` },
    { value: 'set', words: 'Set the stock to what the file says, whatever was sold since it was made' },
  ]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium">The file would set the stock of {pluralize(productCount, 'product', 'products')}</legend>
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
