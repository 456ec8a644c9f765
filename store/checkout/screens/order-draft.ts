import type { CheckoutDefaults, LastOrder } from '#store/checkout/contract.ts'
import { type CheckoutForm, initialForm, type TypedAddress, typedForNextOrder } from '#store/checkout/typed-checkout.ts'
import { clearDraft, loadDraft, saveDraft } from '#web/form-draft.ts'

const visitorDraft = 'checkout '

/** The key under which the number of the order is kept that a draft was placed as. */
const orderOf = (draft: string) => `order of ${draft}`

/**
 * What was typed before in this tab, also before signing in; else what the account has typed last, or the country of the last estimate. What
 * an order was placed with is kept until it is paid, in the tab alone, as it has the address of whoever sits at the machine; what was typed for it
 * alone ends where ordering the basket does not replace it.
 */
export function openForm(
  draft: string,
  defaults: CheckoutDefaults | undefined,
  typedBefore: CheckoutForm,
  lastOrder: LastOrder | null,
): { values: CheckoutForm } {
  const kept = { ...loadDraft<CheckoutForm>(visitorDraft), ...loadDraft<CheckoutForm>(draft) }
  const { number } = loadDraft<{ number: number }>(orderOf(draft))
  const isPaid = number !== undefined && lastOrder?.isPaid && lastOrder.number >= number
  const isOver = number !== undefined && (!lastOrder || lastOrder.isPaid || lastOrder.number !== number)
  if (isOver && !isPaid) endOrderOfDraft(draft, kept)
  if (isPaid) for (const key of [visitorDraft, draft, orderOf(draft)]) clearDraft(key)
  const values = draft === visitorDraft ? typedBefore : initialForm(defaults, { country: typedBefore.deliverTo.country })
  const known = { ...values, ...(isPaid ? {} : isOver ? typedForNextOrder(kept) : kept) }
  const isOvertaken = !isPaid && kept.deliverTo !== undefined && isEstimatedSince(draft, kept.deliverTo, typedBefore.deliverTo)
  saveDraft(destinationOf(draft), typedBefore.deliverTo)
  if (!isOvertaken) return { values: known }
  const estimated = { ...known, deliverTo: typedBefore.deliverTo }
  saveDraft(draft, estimated)
  return { values: estimated }
}

/** Keeps of what an order was placed with what the next one may be placed with, too, so that what is typed from now on is of that one. */
function endOrderOfDraft(draft: string, kept: Partial<CheckoutForm>): void {
  clearDraft(visitorDraft)
  saveDraft(draft, typedForNextOrder(kept))
  clearDraft(orderOf(draft))
}

/** Keeps what an order was placed with, for whoever comes back before paying. */
export function keepOrderedForm(draft: string, typed: CheckoutForm, number: number): void {
  clearDraft(visitorDraft)
  saveDraft(draft, typed)
  saveDraft(orderOf(draft), { number })
}

/** The key under which the place is kept that the basket had an estimate for when the form of a draft was opened. */
const destinationOf = (draft: string) => `destination of ${draft}`

/** Whether the basket had an estimate for another place since this address was typed: what was typed last counts. An order makes its address that place. */
function isEstimatedSince(draft: string, typed: TypedAddress, estimated: TypedAddress): boolean {
  const before = loadDraft<TypedAddress>(destinationOf(draft))
  const digits = (postalCode = '') => postalCode.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  const isAt = ({ country, postalCode }: Partial<TypedAddress>) =>
    country === estimated.country && (estimated.postalCode === '' || digits(postalCode) === digits(estimated.postalCode))
  return estimated.country !== '' && before.country !== undefined && !isAt(before) && !isAt(typed)
}
