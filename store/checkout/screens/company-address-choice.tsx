import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { CheckoutDefaults } from '#store/checkout/contract.ts'
import { emptyAddress } from '#store/checkout/typed-checkout.ts'
import type { CompanyAddress } from '#store/companies/address-contract.ts'
import { SelectField } from '#web/select-field.tsx'
import type { CheckoutFormHandle } from './checkout-fields.ts'

type CompanyAddressChoiceProps = {
  form: CheckoutFormHandle
  of: 'deliverTo' | 'billTo'
  company: NonNullable<CheckoutDefaults['ofCompany']>
  /** codes of the countries that the form offers */
  countries: readonly string[]
  onChosen?: () => void
}

/** Fills an address of the form with one that the members of the company share. */
export function CompanyAddressChoice({ form, of, company, countries, onChosen }: CompanyAddressChoiceProps) {
  const offered = company.addresses.filter(
    ({ country, forDelivery, forInvoice }) => countries.includes(country) && (of === 'deliverTo' ? forDelivery : forInvoice),
  )
  const typed = useWatch({ control: form.control, name: of })
  const [chosenId, setChosenId] = useState('')
  if (offered.length === 0) return null
  const isTyped = (address: CompanyAddress) =>
    Object.entries(toFields(address)).every(([field, value]) => typed[field as keyof typeof typed] === value)
  const held = offered.filter(isTyped)
  const shown = held.find(({ _id }) => _id === chosenId) ?? held[0]

  function choose(id: string) {
    const address = offered.find(({ _id }) => _id === id)
    if (!address) return
    setChosenId(id)
    form.setValue(of, toFields(address), { shouldDirty: true })
    form.clearErrors(of)
    onChosen?.()
  }

  return (
    <SelectField
      label={`Saved addresses of ${company.name}`}
      value={shown?._id ?? ''}
      options={[
        ...(shown ? [] : [{ value: '', label: 'Choose one, or type another' }]),
        ...offered.map(({ _id, label }) => ({ value: _id, label })),
      ]}
      onChange={({ target }) => choose(target.value)}
    />
  )
}

const toFields = ({ country, line1, line2, city, postalCode, state }: CompanyAddress) => ({
  ...emptyAddress,
  ...{ country, line1, line2: line2 ?? '', city, postalCode: postalCode ?? '', state: state ?? '' },
})
