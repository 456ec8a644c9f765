import { type SyntheticEvent, useEffect, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import {
  addSavedCart,
  type Cart,
  deleteSavedCart,
  listSavedCarts,
  type PastedLine,
  type SavedCart,
  saveCart,
} from '#store/cart/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { NotAddedList } from './not-added-list.tsx'

type Done = { name: string; notAdded: PastedLine[] }

/** The baskets that an account has saved under a name, and a form to save the one that is shown. @param hasLines whether there is something to save */
export function SavedCarts({ hasLines, onPutIn }: { hasLines: boolean; onPutIn: (cart: Cart) => void }) {
  const [saved, setSaved] = useState<SavedCart[]>([])
  const [done, setDone] = useState<Done>()
  useEffect(() => {
    callApi(listSavedCarts, {}).then(setSaved, () => {}) // what cannot be shown now is shown at the next visit
  }, [])
  if (!hasLines && saved.length === 0) return null
  return (
    <section aria-label="Saved baskets" className="flex flex-col gap-3 print:hidden">
      <h2 className="font-semibold">Saved baskets</h2>
      {saved.length > 0 && (
        <ul>
          {saved.map((one) => (
            <SavedCartItem
              key={one._id}
              saved={one}
              onPutIn={(cart, notAdded) => {
                onPutIn(cart)
                setDone({ name: one.name, notAdded })
              }}
              onDeleted={setSaved}
            />
          ))}
        </ul>
      )}
      {done && <PutInNotice {...done} />}
      {hasLines && <SaveForm onSaved={(one) => setSaved((before) => [one, ...before.filter(({ _id }) => _id !== one._id)])} />}
    </section>
  )
}

type ItemProps = { saved: SavedCart; onPutIn: (cart: Cart, notAdded: PastedLine[]) => void; onDeleted: (left: SavedCart[]) => void }

function SavedCartItem({ saved: { _id: id, name, lineCount, savedAt }, onPutIn, onDeleted }: ItemProps) {
  const putIn = useSubmit({
    send: () => callApi(addSavedCart, { params: { id } }),
    onDone: ({ cart, notAdded }) => onPutIn(cart, notAdded),
  })
  const remove = useSubmit({ send: () => callApi(deleteSavedCart, { params: { id } }), onDone: onDeleted })
  const refusal = putIn.refusal ?? remove.refusal
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line py-2 first:border-t">
      <span className="min-w-0">
        <span className="font-medium break-words">{name}</span>{' '}
        <span className="text-sm text-soft">
          {formatNumber(lineCount)} {lineCount === 1 ? 'line' : 'lines'}, saved <DateTime at={savedAt} />
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        <Button variant="quiet" dense busy={putIn.busy} aria-label={`Put ${name} into the basket`} onClick={() => putIn.submit()}>
          Put into the basket
        </Button>
        <Button variant="quiet" dense busy={remove.busy} aria-label={`Delete ${name}`} onClick={() => remove.submit()}>
          Delete
        </Button>
      </span>
      {refusal && (
        <div className="w-full">
          <Notice kind="error">{refusal.message}</Notice>
        </div>
      )}
    </li>
  )
}

function PutInNotice({ name, notAdded }: Done) {
  if (notAdded.length === 0) return <Notice kind="success">{name} was added to what is in your basket, at today's prices.</Notice>
  return (
    <Notice kind="warning" title={`${formatNumber(notAdded.length)} of ${name} not put into your basket`}>
      <NotAddedList lines={notAdded} />
    </Notice>
  )
}

function SaveForm({ onSaved }: { onSaved: (saved: SavedCart) => void }) {
  const [name, type] = useState('')
  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(saveCart, { body: { name } }),
    onDone(saved) {
      onSaved(saved)
      type('')
    },
  })
  function save(event: SyntheticEvent) {
    event.preventDefault()
    return submit()
  }
  return (
    <form onSubmit={save} className="max-w-md">
      <Field
        label="Save this basket as"
        name="name"
        required
        maxLength={60}
        autoComplete="off"
        hint="The same name replaces what is saved under it"
        error={refusal?.message}
        value={name}
        onChange={({ target }) => type(target.value)}
      >
        <Button type="submit" variant="quiet" busy={busy} busyLabel="Saving" className="shrink-0">
          Save
        </Button>
      </Field>
    </form>
  )
}
