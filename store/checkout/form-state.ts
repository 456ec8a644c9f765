import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { cartTokenOf } from '#store/cart/cart-tokens.ts'
import { type CartVisitor, findCart } from '#store/cart/rules.ts'
import { findDeliveredCountries } from './charges.ts'
import { checkTyped } from './check-typed.ts'
import type { CheckoutEstimate, CheckoutFormRefusal, CheckoutFormState } from './contract.ts'
import { destinationOf } from './destination-cookie.ts'
import { draftTokenOf, findDraft } from './drafts.ts'
import { methodGoneMessage } from './place-checkout.ts'
import { estimate } from './rules.ts'
import { type CheckoutForm, initialForm, toEstimateQuery } from './typed-checkout.ts'

/** What the visitor of these cookies has typed at the checkout without a script, and what their basket costs so. */
export async function readCheckoutForm(db: Database, cookies: string | undefined): Promise<CheckoutFormState> {
  const visitor: CartVisitor = { userId: undefined, token: cartTokenOf(cookies) }
  const [cart, draftToken] = [await findCart(db, visitor), draftTokenOf(cookies)]
  const draft = cart?.userId === null && draftToken !== undefined ? await findDraft(db, cart.cartId, draftToken) : undefined
  const typed = draft?.typed ?? (await openForm(db, cookies))
  const refusal = draft?.refusal ?? null
  if (cart?.userId !== null) return { typed, refusal, estimate: null, problem: null }
  const isCodeRefused = refusal?.errors.discountCode !== undefined // it was asked for when it was sent, and each time counts as a guess
  const ask = (withCode: boolean) => askEstimate(db, visitor, withCode ? typed : { ...typed, discountCode: '' }, draft?.network ?? '')
  const state = { typed, refusal, estimate: null, problem: null }
  try {
    return { ...state, estimate: (await ask(!isCodeRefused)) ?? null }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { message, code, errors } = error
    if (!errors?.discountCode) return { ...state, problem: message }
    // It has ended since.
    const found = { code: refusal?.code ?? code, message: refusal?.message ?? message, errors: { ...refusal?.errors, ...errors } }
    return { ...state, refusal: found, estimate: (await ask(false)) ?? null }
  }
}

/** An empty form, for the country that the visitor had an estimate for, or the only one. */
async function openForm(db: Database, cookies: string | undefined): Promise<CheckoutForm> {
  const { country, state, postalCode } = destinationOf(cookies)
  const countries = await findDeliveredCountries(db)
  const [only, ...others] = countries
  if (!countries.includes(country)) return initialForm(undefined, others.length === 0 && only ? { country: only } : { country: '' })
  return initialForm(undefined, { country, state, postalCode })
}

const askEstimate = async (
  db: Database,
  visitor: CartVisitor,
  typed: CheckoutForm,
  network: string,
): Promise<CheckoutEstimate | undefined> => {
  const query = toEstimateQuery(typed, typed.discountCode.trim().toUpperCase())
  return query && estimate(db, visitor, query, network)
}

/**
 * What is wrong with the fields that were filled, where the form was sent for its costs alone: what is still empty is not missed yet.
 * @param network hashed, see `estimate`
 */
export async function findFormFaults(
  db: Database,
  visitor: CartVisitor,
  typed: CheckoutForm,
  network: string,
): Promise<CheckoutFormRefusal | null> {
  const errors = errorsByField(checkTyped(typed, { isVisitor: true }).issues.filter(({ path }) => textAt(typed, path) !== ''))
  try {
    const costs = errors.discountCode === undefined ? await askEstimate(db, visitor, typed, network) : undefined
    const isOffered = costs?.methods.some(({ id }) => id === typed.deliveryMethod) ?? true
    if (typed.deliveryMethod !== '' && !isOffered) errors.deliveryMethod = methodGoneMessage
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    if (!error.errors) return { code: error.code, message: error.message, errors }
    Object.assign(errors, error.errors)
  }
  return Object.keys(errors).length > 0 ? { code: 'invalid_request', message: wrongFieldsMessage, errors } : null
}

export const wrongFieldsMessage = 'Some fields need another look'

/** The first message of each field. */
export const errorsByField = (issues: { path: (string | number)[]; message: string }[]): Record<string, string> =>
  Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]).reverse())

function textAt(typed: CheckoutForm, path: (string | number)[]): string {
  let value: unknown = typed
  for (const key of path) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof value === 'string' ? value.trim() : ''
}
