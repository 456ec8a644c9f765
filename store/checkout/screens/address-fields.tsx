import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { countryName } from '#shared/countries.ts'
import { type AddressFieldRule, addressFieldRules } from '#shared/postal-address.ts'
import { statesOf } from '#shared/states.ts'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import { type CheckoutFields, type CheckoutFormHandle, fieldsOfForm } from './checkout-fields.ts'
import { DeliveredCountries } from './delivered-countries.tsx'

type WatchedAddressProps = {
  form: CheckoutFormHandle
  of: 'deliverTo' | 'billTo'
  /** codes of the countries to choose from */
  countries: readonly string[]
}

/** The fields of the country that is chosen now. */
export function WatchedAddressFields({ form, of, countries }: WatchedAddressProps) {
  const country = useWatch({ control: form.control, name: `${of}.country` })
  return <AddressFields fields={fieldsOfForm(form)} {...{ country, of, countries }} />
}

type AddressFieldsProps = {
  fields: CheckoutFields
  of: 'deliverTo' | 'billTo'
  country: string
  countries: readonly string[]
  /** below the country */
  children?: ReactNode
}

const autoComplete: Record<AddressFieldRule['field'], string> = {
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  postalCode: 'postal-code',
  state: 'address-level1',
}

/** An address with the fields of its country, in the order in which they are written there. */
export function AddressFields({ fields, of, country, countries, children }: AddressFieldsProps) {
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
        error={fields.errorOf(`${of}.country`)}
        {...fields.propsOf(`${of}.country`)}
      />
      {of === 'deliverTo' && <DeliveredCountries count={countries.length} />}
      {children}
      {country !== '' && (
        <div className="grid items-start gap-4 sm:grid-cols-6">
          {addressFieldRules(country).map(({ field, label, isRequired }) => (
            <div key={field} className={widthOf(field)}>
              <AddressField
                {...fields.propsOf(`${of}.${field}`)}
                {...{ country, field, label }}
                optional={!isRequired}
                autoComplete={`${section} ${autoComplete[field]}`}
                error={fields.errorOf(`${of}.${field}`)}
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

type AddressFieldProps = ReturnType<CheckoutFields['propsOf']> & {
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
