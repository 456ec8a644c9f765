import type { CheckoutDefaults } from '#store/checkout/contract.ts'
import { emptyAddress } from '#store/checkout/typed-checkout.ts'
import { SelectField } from '#web/select-field.tsx'
import type { CheckoutFormHandle } from './checkout-fields.ts'

type CompanyAddressChoiceProps = {
  form: CheckoutFormHandle
  of: 'deliverTo' | 'billTo'
  company: NonNullable<CheckoutDefaults['ofCompany']>
  /** codes of the countries that the form offers */
  countries: string[]
  onChosen?: () => void
}

/** Fills an address of the form with one that the members of the company share. */
export function CompanyAddressChoice({ form, of, company, countries, onChosen }: CompanyAddressChoiceProps) {
  const offered = company.addresses.filter(
    ({ country, forDelivery, forInvoice }) => countries.includes(country) && (of === 'deliverTo' ? forDelivery : forInvoice),
  )
  if (offered.length === 0) return null

  function choose(id: string) {
    const address = offered.find(({ _id }) => _id === id)
    if (!address) return
    const { country, line1, line2, city, postalCode, state } = address
    const filled = { country, line1, line2: line2 ?? '', city, postalCode: postalCode ?? '', state: state ?? '' }
    form.setValue(of, { ...emptyAddress, ...filled }, { shouldDirty: true })
    form.clearErrors(of)
    onChosen?.()
  }

  return (
    <SelectField
      label={`Saved addresses of ${company.name}`}
      defaultValue=""
      options={[{ value: '', label: 'Choose one, or type another' }, ...offered.map(({ _id, label }) => ({ value: _id, label }))]}
      onChange={({ target }) => choose(target.value)}
    />
  )
}
