import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { countryName } from '#shared/countries.ts'
import { type CostPreview, previewCost } from '#store/delivery/cost-preview-contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { countryOptions } from '#store/tax/screens/tax-forms.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { SelectField } from '#web/select-field.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { CostPreviewResult } from './cost-preview-result.tsx'
import { type CostPreviewFormInput, costPreviewFormSchema } from './delivery-forms.ts'

const nothing: CostPreviewFormInput = { lines: '', country: '', state: '', postalCode: '', vatId: '' }

/** What was asked last: with it the answer is shown. */
type Shown = { preview: CostPreview; country: string }

/** What a basket costs with delivery and tax, somewhere. */
export function CostPreviewSection() {
  const { form, submit, refusal, shown } = useCostPreview()
  const { errors, isSubmitting } = form.formState
  return (
    <section aria-labelledby="preview" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="preview" className="text-xl">
          What a basket costs
        </h2>
        <p className="text-soft">At list prices, with delivery and tax as they are set now. Nothing is ordered.</p>
      </div>
      <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <div className="sm:col-span-2 lg:col-span-4">
          <Field
            label="Products and pieces, a line each"
            rows={3}
            required
            spellCheck={false}
            className="figures"
            hint="The SKU and how many, such as NP-0016 25"
            error={errors.lines?.message}
            {...form.register('lines')}
          />
        </div>
        <SelectField
          label="To"
          options={[{ value: '', label: 'Choose a country' }, ...countryOptions]}
          error={errors.country?.message}
          {...form.register('country')}
        />
        <Field label="State" optional id="preview-state" autoComplete="off" error={errors.state?.message} {...form.register('state')} />
        <Field label="Postal code" optional autoComplete="off" error={errors.postalCode?.message} {...form.register('postalCode')} />
        <Field label="VAT id" optional autoComplete="off" hint="Of a business" error={errors.vatId?.message} {...form.register('vatId')} />
        <div className="sm:col-span-2 lg:col-span-4">
          <Button type="submit" variant="quiet" busy={isSubmitting} busyLabel="Computing">
            Show what it costs
          </Button>
        </div>
        {refusal && (
          <div className="sm:col-span-2 lg:col-span-4">
            <RefusalNotice refusal={refusal} />
          </div>
        )}
      </form>
      <div role="status" className="empty:hidden">
        {shown && <CostPreviewResult preview={shown.preview} place={countryName(shown.country)} askedVatId={form.getValues('vatId')} />}
      </div>
    </section>
  )
}

function useCostPreview() {
  const draft = `cost preview ${useAccountAtOpening()?.email}`
  const [shown, setShown] = useState<Shown>()
  const { state } = useRevalidator()
  useEffect(() => {
    if (state === 'loading') setShown(undefined) // something was changed, and the answer may be another one
  }, [state])
  const form = useValidatedForm({
    resolver: zodResolver(costPreviewFormSchema),
    defaultValues: { ...nothing, ...loadDraft<CostPreviewFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    fields: ['lines', 'country', 'state', 'postalCode', 'vatId'],
    send: (body) => callApi(previewCost, { body }),
    onDone(preview, { country }) {
      sessionStorage.setItem(draft, JSON.stringify(form.getValues())) // for the other page with this section
      setShown({ preview, country })
    },
    onRefused: () => setShown(undefined),
    clearsWhenInvalid: true,
  })
  return { form, submit, refusal, shown }
}
