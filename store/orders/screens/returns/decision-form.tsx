import { zodResolver } from '@hookform/resolvers/zod'
import { useWatch } from 'react-hook-form'
import { formatNumber } from '#shared/format-number.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { decideReturn } from '#store/orders/returns/admin-contract.ts'
import type { ReturnLine } from '#store/orders/returns/contract.ts'
import { returnOutcomes } from '#store/orders/returns/return-reasons.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { Panel } from '#web/panel.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type DecisionFormInput, decisionFormSchema } from './decision-form-schema.ts'
import type { ReturnFormProps } from './receive-form.tsx'
import { outcomeLabels, undecided } from './return-labels.ts'

const stockOptions = [
  { value: '', label: 'Choose' },
  { value: 'stock', label: 'Into stock' },
  { value: 'written off', label: 'Written off' },
]

const outcomeOptions = (line: ReturnLine) => [
  { value: '', label: 'Choose' },
  ...returnOutcomes
    .filter((outcome) => line.toRefund < undecided(line) || outcome === 'refund')
    .map((value) => ({ value, label: outcomeLabels[value] })),
]

const empty = { pieces: '', outcome: '', restock: '', reason: '' }

function useDecisionForm({ asked, onChanged }: ReturnFormProps) {
  const lines = asked.lines.filter((line) => undecided(line) > 0)
  const decidedSeen = asked.lines.reduce((sum, line) => sum + line.quantity - undecided(line), 0)
  const draft = `decide ${asked._id} ${decidedSeen} ${useAccountAtOpening()?.email}`
  const kept = loadDraft<DecisionFormInput>(draft)
  const form = useValidatedForm({
    resolver: zodResolver(decisionFormSchema(lines.map((line) => ({ ...line, left: undecided(line) })))),
    defaultValues: {
      lines: lines.map(({ toDecide }, index) => kept.lines?.[index] ?? { ...empty, pieces: toDecide > 0 ? `${toDecide}` : '' }),
      delivery: kept.delivery ?? false,
    },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    send({ lines: typed, delivery }) {
      const decisions = lines.flatMap(({ _id }, index) => {
        const { reason, ...decision } = typed[index] ?? { quantity: 0, outcome: 'refund' as const, restock: false, reason: '' }
        return decision.quantity > 0 ? [{ _id, ...decision, ...(decision.outcome === 'refused' && { reason }) }] : []
      })
      return callApi(decideReturn, {
        params: { id: asked._id },
        body: { decisions, delivery: delivery && decisions.some(({ outcome }) => outcome === 'refund'), decidedSeen },
      })
    },
    onDone(decided) {
      toast('It is decided', { detail: 'The buyer gets a mail' })
      onChanged(decided)
    },
  })
  return { lines, form, submit, refusal }
}

/** Decides what becomes of pieces: one outcome for each line at a time, the rest of it after that. */
export function DecisionForm(props: ReturnFormProps) {
  const { lines, form, submit, refusal } = useDecisionForm(props)
  const { isSubmitting } = form.formState
  const typed = useWatch({ control: form.control, name: 'lines' })
  const isRefund = typed.some(({ outcome }) => outcome === 'refund')
  return (
    <Panel as="section" aria-labelledby="decide">
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <h2 id="decide" className="text-xl">
          What becomes of it
        </h2>
        {lines.map((line, index) => (
          <DecisionFields key={line._id} line={line} index={index} form={form} outcome={typed[index]?.outcome ?? ''} />
        ))}
        {isRefund && (
          <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
            <input type="checkbox" className="size-5 shrink-0 accent-leaf" {...form.register('delivery')} />
            What the delivery has cost goes back, too
          </label>
        )}
        {refusal && (
          <RefusalNotice refusal={refusal} outcomeUnknown="We do not know whether it was decided. Load the page again: it shows what is.">
            Nothing was decided by this press, and what you typed is kept. Load the page again where others may have decided.
          </RefusalNotice>
        )}
        <div>
          <Button type="submit" busy={isSubmitting} busyLabel="Deciding">
            Decide
          </Button>
          <p className="mt-2 text-sm text-soft">
            {isRefund ? 'The money goes back at once. ' : ''}The buyer gets a mail. What is decided stays decided.
          </p>
        </div>
      </form>
    </Panel>
  )
}

type DecisionFieldsProps = {
  line: ReturnLine
  index: number
  form: ReturnType<typeof useDecisionForm>['form']
  outcome: string
}

function DecisionFields({ line, index, form, outcome }: DecisionFieldsProps) {
  const errors = form.formState.errors.lines?.[index]
  const expected = undecided(line) - line.toDecide
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-semibold break-words">{line.productName}</legend>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <NumberField
          label="Pieces"
          hint={`${formatNumber(line.toDecide)} arrived${line.toDecide > 1 ? ': decide some, then the others' : ''}${expected > 0 ? `, ${formatNumber(expected)} not here${line.toRefund === 0 ? ': they can be refused' : ''}` : ''}${line.toRefund > 0 ? `. Withdrawn from: ${formatNumber(line.toRefund)}` : ''}`}
          error={errors?.pieces?.message}
          {...form.register(`lines.${index}.pieces`)}
        />
        <SelectField
          label="Outcome"
          options={outcomeOptions(line)}
          error={errors?.outcome?.message}
          {...form.register(`lines.${index}.outcome`)}
        />
        {(outcome === 'refund' || outcome === 'replacement') && (
          <SelectField
            label="The pieces go"
            options={stockOptions}
            error={errors?.restock?.message}
            {...form.register(`lines.${index}.restock`)}
          />
        )}
      </div>
      {outcome === 'refused' && (
        <Field
          label="Why they are refused"
          required
          maxLength={200}
          autoComplete="off"
          hint="The buyer reads it in the mail"
          error={errors?.reason?.message}
          {...form.register(`lines.${index}.reason`)}
        />
      )}
    </fieldset>
  )
}
