import * as z from 'zod'
import { addressFieldRules } from '#shared/postal-address.ts'
import { type CompanyAddress, CompanyAddressFields } from '#store/companies/address-contract.ts'
import { withIssuesOf } from '#store/tax/screens/tax-forms.ts'

/** What is typed of an address: empty texts are fields that were left out. */
export type AddressForm = {
  label: string
  forDelivery: boolean
  forInvoice: boolean
} & Record<'country' | 'line1' | 'line2' | 'city' | 'postalCode' | 'state', string>

export const toAddressForm = (address: CompanyAddress | undefined): AddressForm => ({
  label: address?.label ?? '',
  forDelivery: address?.forDelivery ?? true,
  forInvoice: address?.forInvoice ?? false,
  country: address?.country ?? '',
  line1: address?.line1 ?? '',
  line2: address?.line2 ?? '',
  city: address?.city ?? '',
  postalCode: address?.postalCode ?? '',
  state: address?.state ?? '',
})

/** The fields that an address of its country has: what was typed for another country before is left out. */
function toBody({ postalCode, state, line2, ...typed }: AddressForm): z.input<typeof CompanyAddressFields> {
  const asked = new Set<string>(addressFieldRules(typed.country).map(({ field }) => field))
  return {
    ...typed,
    line2,
    ...(asked.has('postalCode') && { postalCode }),
    ...(asked.has('state') && { state }),
  }
}

export const addressFormSchema = z.custom<AddressForm>().transform(toBody).superRefine(withIssuesOf(CompanyAddressFields))
