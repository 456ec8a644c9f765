import { type UseFormReturn, useWatch } from 'react-hook-form'
import { countryName } from '#shared/countries.ts'
import { type AddressFieldRule, addressFieldRules } from '#shared/postal-address.ts'
import { statesOf } from '#shared/states.ts'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import type { CheckoutForm } from './checkout-form.ts'

export type CheckoutFormHandle = UseFormReturn<CheckoutForm, unknown, CheckoutForm>

type AddressFieldsProps = {
  form: CheckoutFormHandle
  of: 'deliverTo' | 'billTo'
  /** codes of the countries to choose from */
  countries: readonly string[]
}

const autoComplete: Record<AddressFieldRule['field'], string> = {
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  postalCode: 'postal-code',
  state: 'address-level1',
}

/** An address with the fields of its country, in the order in which they are written there. */
export function AddressFields({ form, of, countries }: AddressFieldsProps) {
  const { control, register, formState } = form
  const country = useWatch({ control, name: `${of}.country` })
  const errors = formState.errors[of]
  const section = of === 'deliverTo' ? 'shipping' : 'billing'
  const names = [...countries]
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return (
    <>
      <SelectField
        label="Country"
        autoComplete={`${section} country`}
        options={[{ value: '', label: 'Choose a country' }, ...names]}
        error={errors?.country?.message}
        {...register(`${of}.country`)}
      />
      {country !== '' && (
        <div className="grid items-start gap-4 sm:grid-cols-6">
          {addressFieldRules(country).map(({ field, label, isRequired }) => (
            <div key={field} className={widthOf(field)}>
              <AddressField
                {...register(`${of}.${field}`)}
                {...{ country, field, label }}
                optional={!isRequired}
                autoComplete={`${section} ${autoComplete[field]}`}
                error={errors?.[field]?.message}
              />
            </div>
          ))}
        </div>
      )}
    </>
  )
}

const widthOf = (field: AddressFieldRule['field']): string =>
  field === 'line1' || field === 'line2'
    ? 'sm:col-span-6'
    : field === 'city'
      ? 'sm:col-span-4'
      : field === 'postalCode'
        ? 'sm:col-span-2'
        : 'sm:col-span-3'

type AddressFieldProps = ReturnType<CheckoutFormHandle['register']> & {
  country: string
  field: AddressFieldRule['field']
  label: string
  optional: boolean
  autoComplete: string
  error: string | undefined
}

function AddressField({ country, field, optional, ...rest }: AddressFieldProps) {
  const states = field === 'state' ? statesOf(country) : undefined
  if (!states) return <Field {...rest} optional={optional} />
  return (
    <SelectField {...rest} options={[{ value: '', label: 'Choose' }, ...states.map(({ code, name }) => ({ value: code, label: name }))]} />
  )
}
