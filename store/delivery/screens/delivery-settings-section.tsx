import { zodResolver } from '@hookform/resolvers/zod'
import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { changeDeliverySettings } from '#store/delivery/contract.ts'
import { formatWeight } from '#store/delivery/delivery-options.ts'
import type { DeliverySettings } from '#store/delivery/settings-contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type DeliverySettingsFormInput, deliverySettingsFormSchema } from './delivery-forms.ts'

const toFormInput = ({ unknownWeightGrams, ...settings }: DeliverySettings): DeliverySettingsFormInput => ({
  timeZone: settings.timeZone,
  unknownWeightGrams: unknownWeightGrams === null ? '' : formatWeight(unknownWeightGrams),
  assumedDeliveryDays: `${settings.assumedDeliveryDays}`,
  assumedDeliveryDaysAbroad: `${settings.assumedDeliveryDaysAbroad}`,
  withdrawalEverywhere: settings.withdrawalEverywhere,
})

/** What holds for all zones and methods. */
export function DeliverySettingsSection({ settings, onChanged }: { settings: DeliverySettings; onChanged: () => Promise<void> }) {
  const draft = `delivery settings ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(deliverySettingsFormSchema),
    defaultValues: { ...toFormInput(settings), ...loadDraft<DeliverySettingsFormInput>(draft) },
  })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['timeZone', 'unknownWeightGrams', 'assumedDeliveryDays', 'assumedDeliveryDaysAbroad', 'withdrawalEverywhere'],
    send: (body) => callApi(changeDeliverySettings, { body }),
    async onDone(saved) {
      setStoreTimeZone(saved.timeZone)
      toast('Saved', { detail: saved.timeZone })
      form.reset(toFormInput(saved))
      await onChanged()
    },
  })
  return (
    <section aria-labelledby="clock" className="flex flex-col gap-4">
      <h2 id="clock" className="text-xl">
        Clock, weights and delivery
      </h2>
      <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2">
        <Field
          label="Time zone of the shop"
          autoComplete="off"
          spellCheck={false}
          required
          hint="Of cut-off times, holidays and all times on pages and in mails, such as Europe/Berlin"
          error={errors.timeZone?.message}
          {...form.register('timeZone')}
        />
        <Field
          label="Weight where none is known"
          optional
          autoComplete="off"
          hint="Of a piece, such as 500 g, where neither the product nor its category has one. Empty: it does not go by methods priced by weight"
          error={errors.unknownWeightGrams?.message}
          {...form.register('unknownWeightGrams')}
        />
        <ArrivalFields form={form} />
        <div className="sm:col-span-2">
          <Button type="submit" busy={isSubmitting} busyLabel="Saving">
            Save
          </Button>
        </div>
        {refusal && (
          <div className="sm:col-span-2">
            <RefusalNotice refusal={refusal} />
          </div>
        )}
      </form>
    </section>
  )
}

type SettingsForm = {
  register: UseFormRegister<DeliverySettingsFormInput>
  formState: { errors: FieldErrors<DeliverySettingsFormInput> }
}

/** When a parcel counts as delivered, and who may withdraw from the contract after that. */
function ArrivalFields({ form }: { form: SettingsForm }) {
  return (
    <>
      <Field
        label="Days until a parcel counts as delivered"
        inputMode="numeric"
        autoComplete="off"
        required
        hint="After sending, within the country of the shop, where nobody says when it arrived. The time to withdraw begins with it"
        error={form.formState.errors.assumedDeliveryDays?.message}
        {...form.register('assumedDeliveryDays')}
      />
      <Field
        label="Days abroad"
        inputMode="numeric"
        autoComplete="off"
        required
        hint="Likewise"
        error={form.formState.errors.assumedDeliveryDaysAbroad?.message}
        {...form.register('assumedDeliveryDaysAbroad')}
      />
      <label className="flex min-h-6 items-start gap-2 sm:col-span-2">
        <input type="checkbox" className="mt-0.5 size-5 shrink-0 accent-leaf" {...form.register('withdrawalEverywhere')} />
        Consumers outside the EU and the EEA may withdraw from the contract, too, within 14 days of delivery
      </label>
    </>
  )
}
