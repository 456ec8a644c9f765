import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { countryName } from '#shared/countries.ts'
import { formatNumber } from '#shared/format-number.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { removeTaxRate, setTaxRate, type TaxRate } from '#store/tax/contract.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { SelectField } from '#web/select-field.tsx'
import { Table } from '#web/table.tsx'
import { Cell, focusTargetInNextRow, Row } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { countryOptions, type TaxRateFormInput, taxRateFormSchema } from './tax-forms.ts'

type SectionProps = { rates: TaxRate[]; onChanged: () => Promise<void> }

const placeOf = ({ country, state }: TaxRate): string => (state === null ? countryName(country) : `${countryName(country)}, ${state}`)

/** The rates by country and state. */
export function RatesSection({ rates, onChanged }: SectionProps) {
  const [isOpenAtFirst] = useState(rates.length <= 20)
  return (
    <section aria-labelledby="rates" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="rates" className="text-xl">
          Rates
        </h2>
        <p className="text-soft">
          Products are of the class standard, reduced or zero (the column <span className="figures">tax_class</span> of an import). Where no
          reduced rate is set, the standard one holds; zero is never taxed.
        </p>
      </div>
      <RateForm onSaved={onChanged} />
      {rates.length > 0 && (
        <details open={isOpenAtFirst}>
          <summary className="min-h-6 cursor-pointer font-medium">
            {rates.length === 1 ? '1 rate is set' : `${formatNumber(rates.length)} rates are set`}
          </summary>
          <Table
            caption="Rates"
            columns={[{ label: 'Place' }, { label: 'Class' }, { label: 'Rate', isNumeric: true }, { label: 'Remove' }]}
          >
            {rates.map((rate) => (
              <RateRow key={rate._id} rate={rate} onChanged={onChanged} />
            ))}
          </Table>
        </details>
      )}
    </section>
  )
}

const emptyRate: TaxRateFormInput = { country: '', state: '', taxClass: 'standard', ratePpm: '' }

function useRateForm(onSaved: () => Promise<void>) {
  const draft = `tax rate ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(taxRateFormSchema),
    defaultValues: { ...emptyRate, ...loadDraft<TaxRateFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['country', 'state', 'taxClass', 'ratePpm'],
    send: (body) => callApi(setTaxRate, { body }),
    async onDone(rate) {
      toast('Rate set', { detail: `${placeOf(rate)}, ${rate.taxClass}: ${formatRate(rate.ratePpm)}` })
      form.reset(emptyRate)
      await onSaved()
    },
  })
  return { form, submit, refusal }
}

function RateForm({ onSaved }: { onSaved: () => Promise<void> }) {
  const { form, submit, refusal } = useRateForm(onSaved)
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <SelectField
        label="Country of the rate"
        id="rate-country"
        options={[{ value: '', label: 'Choose' }, ...countryOptions]}
        error={errors.country?.message}
        {...form.register('country')}
      />
      <Field
        label="State"
        id="rate-state"
        optional
        autoComplete="off"
        spellCheck={false}
        hint="Empty: the whole country"
        error={errors.state?.message}
        {...form.register('state')}
      />
      <SelectField
        label="Class"
        options={[
          { value: 'standard', label: 'Standard' },
          { value: 'reduced', label: 'Reduced' },
        ]}
        {...form.register('taxClass')}
      />
      <NumberField
        label="Rate in percent"
        inputMode="decimal"
        required
        hint="Of the net price"
        error={errors.ratePpm?.message}
        {...form.register('ratePpm')}
      />
      <div className="sm:col-span-2 lg:col-span-4">
        <Button type="submit" busy={isSubmitting} busyLabel="Setting">
          Set rate
        </Button>
      </div>
      {refusal && (
        <div className="sm:col-span-2 lg:col-span-4">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

function RateRow({ rate, onChanged }: { rate: TaxRate; onChanged: () => Promise<void> }) {
  const name = `${placeOf(rate)}, ${rate.taxClass}`
  const { submit, busy } = useSubmit({
    send: (_button: HTMLElement) => callApi(removeTaxRate, { params: { id: rate._id } }),
    async onDone(_removed, button) {
      const next = focusTargetInNextRow(button) ?? document.getElementById('rate-country')
      toast('Rate removed', { detail: name })
      await onChanged()
      next?.focus()
    },
    toastDetail: () => name,
  })
  return (
    <Row>
      <Cell label="Place" isRowHeader>
        {placeOf(rate)}
      </Cell>
      <Cell label="Class">{rate.taxClass}</Cell>
      <Cell label="Rate" isNumeric>
        {formatRate(rate.ratePpm)}
      </Cell>
      <Cell label="Remove">
        <Button
          dense
          variant="quiet"
          busy={busy}
          busyLabel="Removing"
          aria-label={`Remove, ${name}`}
          onClick={({ currentTarget }) => submit(currentTarget)}
        >
          Remove
        </Button>
      </Cell>
    </Row>
  )
}
