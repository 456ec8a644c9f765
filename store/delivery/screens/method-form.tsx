import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { formatPlainCents } from '#shared/typed-amount.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { addDeliveryMethod, type DeliveryMethod, type DeliveryZone, updateDeliveryMethod } from '#store/delivery/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { moneyFieldProps } from '#web/money.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { createMethodFormSchema, exampleStep, type MethodFormInput } from './delivery-forms.ts'
import { formatSteps } from './steps-text.ts'

const newMethod: MethodFormInput = {
  ...{ name: '', carrier: '', pricedBy: 'weight', steps: '', freeFromCents: '' },
  ...{ daysFrom: '', daysTo: '', cutOff: '', handlingDays: '0', notForCategories: '' },
}

const toFormInput = (method: DeliveryMethod | undefined): MethodFormInput =>
  method
    ? {
        name: method.name,
        carrier: method.carrier ?? '',
        pricedBy: method.pricedBy,
        steps: formatSteps(method.steps, method.pricedBy),
        freeFromCents: method.freeFromCents === null ? '' : formatPlainCents(method.freeFromCents),
        daysFrom: `${method.daysFrom}`,
        daysTo: `${method.daysTo}`,
        cutOff: method.cutOff ?? '',
        handlingDays: `${method.handlingDays}`,
        notForCategories: method.notForCategories.join(', '),
      }
    : newMethod

type FormProps = {
  zone: DeliveryZone
  method?: DeliveryMethod
  categories: { key: string; label: string }[]
  onSaved: () => Promise<void>
}

/** Adds a method to a zone, or changes the given one. */
export function MethodForm({ zone, method, categories, onSaved }: FormProps) {
  const { form, submit, refusal } = useMethodForm({ zone, method, categories, onSaved })
  const { errors, isSubmitting } = form.formState
  const field = (name: keyof MethodFormInput) => ({ error: errors[name]?.message, ...form.register(name) })
  const pricedBy = form.watch('pricedBy')
  return (
    <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2">
      <Field label="Name of the method" autoComplete="off" required hint="As buyers see it, such as Parcel" {...field('name')} />
      <Field label="Carrier" optional autoComplete="off" {...field('carrier')} />
      <SelectField
        label="The price depends on"
        options={[
          { value: 'weight', label: 'The weight' },
          { value: 'goods', label: 'What the goods cost' },
        ]}
        {...form.register('pricedBy')}
      />
      <NumberField label="Free for goods from" optional {...moneyFieldProps()} {...field('freeFromCents')} />
      <div className="sm:col-span-2">
        <PriceStepsField pricedBy={pricedBy} {...field('steps')} />
      </div>
      <NumberField label="Working days to arrive, at least" required {...field('daysFrom')} />
      <NumberField label="At most" required {...field('daysTo')} />
      <Field label="Cut-off time" optional type="time" hint="An order before it is handled on its day" {...field('cutOff')} />
      <NumberField
        label="Working days of handling"
        required
        hint="From the order to sending; 0: on the same day"
        {...field('handlingDays')}
      />
      <div className="sm:col-span-2">
        <Field
          label="Not for categories"
          optional
          autoComplete="off"
          spellCheck={false}
          hint="Names with commas between them, such as Monitors, Cases"
          {...field('notForCategories')}
        />
      </div>
      <div className="sm:col-span-2">
        <Button type="submit" variant={method ? 'quiet' : 'action'} busy={isSubmitting} busyLabel="Saving">
          {method ? `Save ${method.name}` : `Add method to ${zone.name}`}
        </Button>
      </div>
      {refusal && (
        <div className="sm:col-span-2">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

type PriceStepsFieldProps = UseFormRegisterReturn & { pricedBy: MethodFormInput['pricedBy']; error: string | undefined }

function PriceStepsField({ pricedBy, ...field }: PriceStepsFieldProps) {
  return (
    <Field
      label="Prices, a line each"
      rows={4}
      required
      spellCheck={false}
      className="figures"
      hint={`Up to which ${pricedBy === 'weight' ? 'weight' : 'amount of goods'}, and the price: ${exampleStep[pricedBy]}. A line “more: 49” is for all above; without it the method ends at the last line. A price alone holds for everything`}
      {...field}
    />
  )
}

function useMethodForm({ zone, method, categories, onSaved }: FormProps) {
  const draft = `delivery method ${method?._id ?? `of ${zone._id}`} ${useAccountAtOpening()?.email}`
  const [schema] = useState(() => createMethodFormSchema(categories))
  const form = useValidatedForm({
    resolver: zodResolver(schema),
    defaultValues: { ...toFormInput(method), ...loadDraft<MethodFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['name', 'carrier', 'steps', 'freeFromCents', 'daysFrom', 'daysTo', 'cutOff', 'handlingDays', 'notForCategories'],
    send: (body) =>
      method
        ? callApi(updateDeliveryMethod, { params: { id: method._id }, body })
        : callApi(addDeliveryMethod, { params: { id: zone._id }, body }),
    async onDone(saved) {
      toast(method ? 'Method saved' : 'Method added', { detail: `${saved.name}, ${zone.name}` })
      form.reset(toFormInput(method && saved))
      await onSaved()
    },
  })
  return { form, submit, refusal }
}
