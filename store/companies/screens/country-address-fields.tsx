import type { ComponentProps } from 'react'
import { type AddressFieldRule, addressFieldRules } from '#shared/postal-address.ts'
import { statesOf } from '#shared/states.ts'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'

type AddressField = AddressFieldRule['field']
type CountryAddressFieldsProps = {
  /** '': none is chosen yet, so there are no fields */
  country: string
  /** of the form */
  register: (field: AddressField) => Pick<ComponentProps<'input'>, 'name'> & Record<string, unknown>
  errors: Partial<Record<AddressField, { message?: string | undefined }>>
}

/** The fields of an address in a country, beside the country itself. */
export function CountryAddressFields({ country, register, errors }: CountryAddressFieldsProps) {
  if (country === '') return null
  return addressFieldRules(country).map(({ field, label, isRequired }) => {
    const states = field === 'state' ? statesOf(country) : undefined
    const common = { label, autoComplete: 'off', error: errors[field]?.message, ...register(field) }
    return states ? (
      <SelectField
        key={field}
        {...common}
        options={[{ value: '', label: 'Choose' }, ...states.map(({ code, name }) => ({ value: code, label: name }))]}
      />
    ) : (
      <Field key={field} {...common} optional={!isRequired} />
    )
  })
}
