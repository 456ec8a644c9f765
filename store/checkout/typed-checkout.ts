import type { z } from 'zod'
import { addressFieldRules, findAddressErrors, type PostalAddress } from '#shared/postal-address.ts'
import { paymentMethods } from '#store/orders/statuses.ts'
import type { CheckoutBody, CheckoutDefaults, EstimateQuery, TypedCheckout } from './contract.ts'

/* What is typed at the checkout, as the form has it in the browser and as one that is sent without a script arrives. */

export type TypedAddress = Record<keyof PostalAddress, string>

/** Empty texts are fields that were left out. */
export type CheckoutForm = z.output<typeof TypedCheckout>

export const emptyAddress: TypedAddress = { country: '', line1: '', line2: '', city: '', postalCode: '', state: '' }

/** @param destination where nothing has been typed yet */
export function initialForm(defaults: CheckoutDefaults | undefined, destination: Partial<TypedAddress>): CheckoutForm {
  return {
    ...{ email: '', phone: defaults?.phone ?? '', name: defaults?.name ?? '' },
    deliverTo: { ...emptyAddress, ...(defaults?.deliverTo ?? destination) },
    billsElsewhere: Boolean(defaults?.billTo),
    billTo: { ...emptyAddress, ...defaults?.billTo },
    company: defaults?.company ?? '',
    vatId: defaults?.vatId ?? '',
    buyerReference: defaults?.buyerReference ?? '',
    ...{ poNumber: '', partNumbers: {}, discountCode: '', deliveryMethod: '', paymentMethod: '' },
  }
}

/** What stays of what an order was placed with once the basket is another purchase: not what was typed for that order alone. */
export const typedForNextOrder = <Typed extends Partial<CheckoutForm>>(placed: Typed): Typed => ({
  ...placed,
  ...{ poNumber: '', discountCode: '', deliveryMethod: '' },
})

/** @param isVisitor the e-mail is sent: that of an account is its own */
export function toCheckoutBody(form: CheckoutForm, { isVisitor }: { isVisitor: boolean }): z.input<typeof CheckoutBody> {
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
    paymentMethod: paymentMethods.find((method) => method === form.paymentMethod),
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

/** What the costs are asked for, as the form stands; undefined without a country. */
export function toEstimateQuery(
  { deliverTo: { country, state, postalCode }, vatId, deliveryMethod }: Pick<CheckoutForm, 'deliverTo' | 'vatId' | 'deliveryMethod'>,
  discountCode: string,
): z.input<typeof EstimateQuery> | undefined {
  if (!country) return undefined
  return {
    country,
    state: filled(state)?.slice(0, 50),
    postalCode: filled(postalCode)?.slice(0, 20),
    vatId: filled(vatId)?.slice(0, 20),
    deliveryMethod: filled(deliveryMethod),
    discountCode: filled(discountCode),
  }
}

/** More characters than any field may have, so that a text that is too long is shown again with what is wrong with it. */
const maxKeptCharacters = 300
const partNumberField = /^partNumbers\.([\da-f-]{36})$/

/** The fields of a form that was sent without a script, whatever somebody has made of them. */
export function readTypedCheckout(fields: Record<string, unknown>): CheckoutForm {
  const text = (name: string): string => {
    const sent = fields[name]
    return typeof sent === 'string' ? sent.replaceAll('\0', '').slice(0, maxKeptCharacters).toWellFormed() : '' // NUL stands in no text of the database
  }
  const address = (of: 'deliverTo' | 'billTo'): TypedAddress => ({
    country: text(`${of}.country`),
    line1: text(`${of}.line1`),
    line2: text(`${of}.line2`),
    city: text(`${of}.city`),
    postalCode: text(`${of}.postalCode`),
    state: text(`${of}.state`),
  })
  const partNumbers = Object.keys(fields).flatMap((name) => {
    const productId = partNumberField.exec(name)?.[1]
    return productId && text(name) !== '' ? [[productId, text(name)] as const] : []
  })
  return {
    ...{ email: text('email'), phone: text('phone'), name: text('name') },
    deliverTo: address('deliverTo'),
    billsElsewhere: text('billsElsewhere') !== '',
    billTo: address('billTo'),
    ...{ company: text('company'), vatId: text('vatId'), poNumber: text('poNumber'), buyerReference: text('buyerReference') },
    partNumbers: Object.fromEntries(partNumbers.slice(0, 100)),
    ...{ discountCode: text('discountCode'), deliveryMethod: text('deliveryMethod'), paymentMethod: text('paymentMethod') },
  }
}
