import { type SyntheticEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { type Cart, maxPastedCharacters, type PastedLine, type PastedList, pasteIntoCart } from '#store/cart/contract.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { callCart } from './call-cart.ts'
import { NotAddedList } from './not-added-list.tsx'

type PasteFormProps = {
  /** what has become of the list that this form has sent where no script ran */
  sent: PastedList | null
  onPasted: (cart: Cart) => void
}

/** A list of part numbers and quantities, pasted into the basket. Lines that could not be put in stay in the field, each with its reason. */
export function PasteForm({ sent, onPasted }: PasteFormProps) {
  const [text, type] = useState(sent?.text ?? '')
  const [problem, setProblem] = useState(sent?.problem ?? undefined)
  const [done, setDone] = useState<{ added: number; notAdded: PastedLine[] } | undefined>(sent && !sent.problem ? sent : undefined)
  const { submit, busy, refusal } = useSubmit({
    send: () => callCart(pasteIntoCart, { body: { text } }),
    onDone({ cart, added, notAdded }) {
      onPasted(cart)
      setDone({ added, notAdded })
      type(notAdded.map(({ text }) => text).join('\n'))
    },
  })
  function paste(event: SyntheticEvent) {
    event.preventDefault()
    setDone(undefined)
    setProblem(undefined)
    return submit()
  }
  const error = refusal?.message ?? problem
  return (
    <details
      id="pasted"
      open={done !== undefined || error !== undefined || undefined}
      className="rounded border border-line bg-panel p-4 print:hidden"
    >
      <summary className="min-h-6 cursor-pointer font-semibold">Quick order: paste part numbers</summary>
      <form method="post" action="/cart/paste" onSubmit={paste} className="mt-3 flex flex-col items-start gap-4">
        <div className="w-full">
          <Field
            label="Part numbers and quantities"
            name="text"
            rows={5}
            required
            maxLength={maxPastedCharacters}
            spellCheck={false}
            autoComplete="off"
            className="figures"
            hint="A line for each: SKU or part number, then how many. Columns of a spreadsheet, commas, semicolons and tabs work too"
            error={error}
            value={text}
            onChange={({ target }) => type(target.value)}
          />
        </div>
        {done && (
          <Notice
            kind={done.notAdded.length > 0 ? 'warning' : 'success'}
            title={`${formatNumber(done.added)} ${done.added === 1 ? 'line' : 'lines'} put into the basket${done.notAdded.length > 0 ? `, ${formatNumber(done.notAdded.length)} not` : ''}`}
          >
            {done.notAdded.length > 0 && <NotAddedList lines={done.notAdded} />}
          </Notice>
        )}
        <Button type="submit" variant="offer" busy={busy} busyLabel="Looking them up">
          Put into the basket
        </Button>
      </form>
    </details>
  )
}
