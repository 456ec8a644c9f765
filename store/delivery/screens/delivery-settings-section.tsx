import { zodResolver } from '@hookform/resolvers/zod'
import { setStoreTimeZone } from '#shared/time-zone.ts'
import { changeDeliverySettings, type DeliverySettings } from '#store/delivery/contract.ts'
import { formatWeight } from '#store/delivery/delivery-options.ts'
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

const toFormInput = ({ timeZone, unknownWeightGrams }: DeliverySettings): DeliverySettingsFormInput => ({
  timeZone,
  unknownWeightGrams: unknownWeightGrams === null ? '' : formatWeight(unknownWeightGrams),
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
    fields: ['timeZone', 'unknownWeightGrams'],
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
        Clock and weights
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
