import { zodResolver } from '@hookform/resolvers/zod'
import { addDeliveryZone, type DeliveryZone, updateDeliveryZone } from '#store/delivery/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type ZoneFormInput, zoneFormSchema } from './delivery-forms.ts'

const toFormInput = (zone: DeliveryZone | undefined): ZoneFormInput => ({
  name: zone?.name ?? '',
  countries: zone?.countries.join(', ') ?? '',
  states: zone?.states.join(', ') ?? '',
  postalPrefixes: zone?.postalPrefixes.join(', ') ?? '',
})

type FormProps = { zone?: DeliveryZone; onSaved: () => Promise<void> }

/** Adds a zone, or changes the given one. */
export function ZoneForm({ zone, onSaved }: FormProps) {
  const id = zone?._id ?? 'new'
  const { form, submit, refusal } = useZoneForm({ zone, onSaved })
  const { errors, isSubmitting } = form.formState
  const listField = { autoComplete: 'off', spellCheck: false } as const
  return (
    <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2">
      <Field
        label="Name of the zone"
        id={`zone-name-${id}`}
        autoComplete="off"
        required
        error={errors.name?.message}
        {...form.register('name')}
      />
      <Field
        label="Countries"
        {...listField}
        hint="Two letters each, such as DE, AT. Empty: everywhere"
        error={errors.countries?.message}
        {...form.register('countries')}
      />
      <Field
        label="States"
        optional
        {...listField}
        hint="Codes such as CA, NY, of a zone of one country"
        error={errors.states?.message}
        {...form.register('states')}
      />
      <Field
        label="Postal codes begin with"
        optional
        {...listField}
        hint="Such as 80, 81, of a zone of one country"
        error={errors.postalPrefixes?.message}
        {...form.register('postalPrefixes')}
      />
      <div className="sm:col-span-2">
        <Button type="submit" variant={zone ? 'quiet' : 'action'} busy={isSubmitting} busyLabel="Saving">
          {zone ? `Save zone ${zone.name}` : 'Add zone'}
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

function useZoneForm({ zone, onSaved }: FormProps) {
  const draft = `delivery zone ${zone?._id ?? 'new'} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(zoneFormSchema),
    defaultValues: { ...toFormInput(zone), ...loadDraft<ZoneFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['name', 'countries', 'states', 'postalPrefixes'],
    send: (body) => (zone ? callApi(updateDeliveryZone, { params: { id: zone._id }, body }) : callApi(addDeliveryZone, { body })),
    async onDone(saved) {
      toast(zone ? 'Zone saved' : 'Zone added', { detail: saved.name })
      form.reset(toFormInput(zone && saved))
      await onSaved()
    },
  })
  return { form, submit, refusal }
}
