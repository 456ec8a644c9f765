import { type FormEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { receiveReturn } from '#store/orders/returns/admin-contract.ts'
import type { Return } from '#store/orders/returns/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Panel } from '#web/panel.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { undecided } from './return-labels.ts'

export type ReturnFormProps = { asked: Return; onChanged: (asked: Return) => void }

/** Says how many pieces of each line have arrived so far. */
export function ReceiveForm({ asked, onChanged }: ReturnFormProps) {
  const { lines } = asked
  const [typed, setTyped] = useState(lines.map(({ arrived }) => `${arrived}`))
  const { submit, busy, refusal } = useSubmit({
    send: () =>
      callApi(receiveReturn, {
        params: { id: asked._id },
        body: { lines: lines.map(({ _id }, index) => ({ _id, arrived: typed[index] ?? '' })) },
      }),
    onDone(received) {
      toast('What has arrived is written down', { detail: 'The buyer gets a mail' })
      onChanged(received)
    },
  })
  const most = lines.map((line) => line.arrived + undecided(line) - line.toDecide)
  const isChanged = lines.some(({ arrived }, index) => parseWholeNumber(typed[index] ?? '') !== arrived)
  return (
    <Panel as="section" variant="raised" aria-labelledby="arrived">
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
        className="flex flex-col gap-4"
      >
        <h2 id="arrived" className="text-xl">
          What has arrived
        </h2>
        {lines.map((line, index) => (
          <NumberField
            key={line._id}
            label={line.productName}
            hint={`Pieces so far, of ${formatNumber(most[index] ?? 0)}`}
            value={typed[index]}
            error={refusal?.errors[`lines.${index}.arrived`]}
            onChange={({ target }) => setTyped(typed.with(index, target.value))}
          />
        ))}
        {refusal && Object.keys(refusal.errors).length === 0 && (
          <RefusalNotice refusal={refusal}>Nothing was written down. What you typed is kept.</RefusalNotice>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy} busyLabel="Saving" disabled={!isChanged}>
            Write down
          </Button>
          <Button variant="quiet" onClick={() => setTyped(most.map((pieces) => `${pieces}`))}>
            All of it
          </Button>
        </div>
      </form>
    </Panel>
  )
}
