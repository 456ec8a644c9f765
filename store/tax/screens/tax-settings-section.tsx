import { zodResolver } from '@hookform/resolvers/zod'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { changeTaxSettings, type TaxSettings } from '#store/tax/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { countryOptions, type TaxSettingsFormInput, taxSettingsFormSchema } from './tax-forms.ts'

const toFormInput = ({ country, state, pricesIncludeTax }: TaxSettings): TaxSettingsFormInput => ({
  country: country ?? '',
  state: state ?? '',
  pricesIncludeTax: pricesIncludeTax ? 'with' : 'without',
})

type SectionProps = { settings: TaxSettings; onChanged: () => Promise<void> }

/** Where the shop is, and whether its prices contain tax. */
export function TaxSettingsSection({ settings, onChanged }: SectionProps) {
  const { form, submit, refusal } = useTaxSettingsForm({ settings, onChanged })
  const { errors, isSubmitting } = form.formState
  return (
    <section aria-labelledby="shop" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="shop" className="text-xl">
          The shop
        </h2>
        <p className="text-soft">
          An order within the shop's country is taxed at the rate of its state or country. From a country of the European Union to another
          one, consumers pay the destination's rate where it is set, else the shop's; a business with a VAT id of another member state pays
          none. What leaves the Union, or the country of a shop outside it, is not taxed.
        </p>
      </div>
      <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-3">
        <SelectField
          label="Country of the shop"
          options={[{ value: '', label: 'Not said: nothing is taxed' }, ...countryOptions]}
          error={errors.country?.message}
          {...form.register('country')}
        />
        <Field
          label="State of the shop"
          id="shop-state"
          optional
          autoComplete="off"
          spellCheck={false}
          hint="Its code, such as CA, where states have rates of their own"
          error={errors.state?.message}
          {...form.register('state')}
        />
        <SelectField
          label="Prices, also of delivery"
          options={[
            { value: 'without', label: 'Without tax, which is added' },
            { value: 'with', label: 'With tax, which is taken out' },
          ]}
          {...form.register('pricesIncludeTax')}
        />
        <div className="sm:col-span-3">
          <Button type="submit" busy={isSubmitting} busyLabel="Saving">
            Save
          </Button>
        </div>
        {refusal && (
          <div className="sm:col-span-3">
            <RefusalNotice refusal={refusal} />
          </div>
        )}
      </form>
    </section>
  )
}

function useTaxSettingsForm({ settings, onChanged }: SectionProps) {
  const draft = `tax settings ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(taxSettingsFormSchema),
    defaultValues: { ...toFormInput(settings), ...loadDraft<TaxSettingsFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['country', 'state'],
    send: (body) => callApi(changeTaxSettings, { body }),
    async onDone(saved) {
      toast('Saved', { detail: saved.pricesIncludeTax ? 'Prices include tax' : 'Tax is added to prices' })
      form.reset(toFormInput(saved))
      await onChanged()
    },
  })
  return { form, submit, refusal }
}
