import { addressFieldRules, findAddressErrors, type PostalAddress } from '#shared/postal-address.ts'
import type { CheckoutDefaults, checkOut } from '#store/checkout/contract.ts'
import type { EndpointInput } from '#web/api-caller.ts'

export type TypedAddress = Record<keyof PostalAddress, string>

/** What is typed at the checkout. Empty texts are fields that were left out. */
export type CheckoutForm = {
  email: string
  phone: string
  name: string
  deliverTo: TypedAddress
  billsElsewhere: boolean
  billTo: TypedAddress
  company: string
  vatId: string
  poNumber: string
  buyerReference: string
  /** by product */
  partNumbers: Record<string, string>
  discountCode: string
  deliveryMethod: string
}

const emptyAddress: TypedAddress = { country: '', line1: '', line2: '', city: '', postalCode: '', state: '' }

/** @param country where nothing has been typed yet */
export function initialForm(defaults: CheckoutDefaults | undefined, country: string): CheckoutForm {
  return {
    ...{ email: '', phone: defaults?.phone ?? '', name: defaults?.name ?? '' },
    deliverTo: { ...emptyAddress, ...(defaults?.deliverTo ?? { country }) },
    billsElsewhere: Boolean(defaults?.billTo),
    billTo: { ...emptyAddress, ...defaults?.billTo },
    company: defaults?.company ?? '',
    vatId: defaults?.vatId ?? '',
    buyerReference: defaults?.buyerReference ?? '',
    ...{ poNumber: '', partNumbers: {}, discountCode: '', deliveryMethod: '' },
  }
}

type CheckoutBody = EndpointInput<typeof checkOut>['body']

/** @param isVisitor the e-mail is sent: that of an account is its own */
export function toCheckoutBody(form: CheckoutForm, { isVisitor }: { isVisitor: boolean }): CheckoutBody {
  const partNumbers = Object.entries(form.partNumbers).filter(([, partNumber]) => partNumber.trim() !== '')
  return {
    ...(isVisitor && { email: form.email }),
    name: form.name,
    phone: filled(form.phone),
    deliverTo: toAddress(form.deliverTo),
    billTo: form.billsElsewhere ? toAddress(form.billTo) : undefined,
    company: filled(form.company),
    vatId: filled(form.vatId),
    poNumber: filled(form.poNumber),
    buyerReference: filled(form.buyerReference),
    partNumbers: partNumbers.length > 0 ? partNumbers.map(([productId, partNumber]) => ({ productId, partNumber })) : undefined,
    discountCode: filled(form.discountCode),
    deliveryMethod: filled(form.deliveryMethod),
  }
}

const filled = (text: string | undefined): string | undefined => text?.trim() || undefined

/** The fields that an address of its country has: what was typed for another country before is left out. */
function toAddress(typed: TypedAddress): PostalAddress {
  const asked = new Set<string>(addressFieldRules(typed.country).map(({ field }) => field))
  return {
    country: typed.country,
    line1: typed.line1,
    line2: filled(typed.line2),
    city: typed.city,
    postalCode: asked.has('postalCode') ? filled(typed.postalCode) : undefined,
    state: asked.has('state') ? filled(typed.state) : undefined,
  }
}

export const isCompleteAddress = (typed: TypedAddress): boolean =>
  typed.country !== '' && Object.keys(findAddressErrors(toAddress(typed))).length === 0
