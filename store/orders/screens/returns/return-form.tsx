import { zodResolver } from '@hookform/resolvers/zod'
import { formatNumber } from '#shared/format-number.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { askForReturn, type OrderReturns } from '#store/orders/returns/contract.ts'
import { formatReturnNumber, returnReasons } from '#store/orders/returns/return-reasons.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { DisplayedOrder } from '../displayed-order.ts'
import { forgetIdempotencyKey, idempotencyKeyFor } from '../idempotency-key.ts'
import { useOrderAccess } from '../order-access.ts'
import { type ReturnFormInput, returnFormSchema } from './return-form-schema.ts'
import { reasonLabels } from './return-labels.ts'

type ReturnFormProps = {
  order: Pick<DisplayedOrder, '_id' | 'number'>
  returnable: OrderReturns['returnable']
  onAsked: () => Promise<void>
}

const reasonOptions = [{ value: '', label: 'Choose' }, ...returnReasons.map((value) => ({ value, label: reasonLabels[value] }))]

function useReturnForm({ order, returnable, onAsked }: ReturnFormProps) {
  const { call } = useOrderAccess()
  const draft = `return ${returnable.map(({ _id, pieces }) => `${_id} ${pieces}`).join()} ${useAccountAtOpening()?.email}`
  const kept = loadDraft<ReturnFormInput>(draft)
  const form = useValidatedForm({
    resolver: zodResolver(returnFormSchema(returnable)),
    defaultValues: {
      lines: returnable.map((_, index) => kept.lines?.[index] ?? { pieces: '', reason: '' }),
      note: kept.note ?? '',
    },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    send({ lines, note }) {
      const asked = returnable.map(({ _id }, index) => ({ _id, ...(lines[index] ?? { quantity: 0, reason: 'other' as const }) }))
      const body = { lines: asked.filter(({ quantity }) => quantity > 0), ...(note && { note }) }
      return call(askForReturn, { params: { id: order._id }, body, idempotencyKey: idempotencyKeyFor(draft, { body, returnable }) })
    },
    async onDone({ number }) {
      forgetIdempotencyKey(draft)
      toast(`Your return has the number ${formatReturnNumber(number)}`, { detail: 'Write it on the parcel. A mail says what to do' })
      await onAsked()
    },
  })
  return { form, submit, refusal }
}

/** Asks for a return by line and piece, each with a reason. */
export function ReturnForm(props: ReturnFormProps) {
  const { form, submit, refusal } = useReturnForm(props)
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={submit} noValidate className="mt-3 flex flex-col gap-4">
      {props.returnable.map(({ _id, productName, pieces }, index) => (
        <fieldset key={_id} className="flex flex-col gap-2">
          <legend className="font-semibold break-words">{productName}</legend>
          <div className="grid items-start gap-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
            <NumberField
              label="Pieces"
              aria-label={`Pieces of ${productName} to return`}
              hint={`At most ${formatNumber(pieces)}`}
              error={errors.lines?.[index]?.pieces?.message}
              {...form.register(`lines.${index}.pieces`)}
            />
            <SelectField
              label="Why"
              aria-label={`Why ${productName} comes back`}
              options={reasonOptions}
              error={errors.lines?.[index]?.reason?.message}
              {...form.register(`lines.${index}.reason`)}
            />
          </div>
        </fieldset>
      ))}
      <Field label="More about it" optional rows={3} maxLength={1000} error={errors.note?.message} {...form.register('note')} />
      {refusal && (
        <RefusalNotice refusal={refusal} outcomeUnknown="We do not know whether it was asked for. Press again: it is one return, not two.">
          Nothing was asked for, and what you typed is kept.
        </RefusalNotice>
      )}
      <Button type="submit" variant="quiet" busy={isSubmitting} busyLabel="Asking" className="self-start">
        Ask for the return
      </Button>
    </form>
  )
}
