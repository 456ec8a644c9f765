import { useEffect, useRef } from 'react'
import { data, useNavigate, useNavigation, useOutletContext, useRevalidator } from 'react-router'
import { countryName } from '#shared/countries.ts'
import { findPostalCodeError } from '#shared/postal-address.ts'
import { statesOf } from '#shared/states.ts'
import type { Cart } from '#store/cart/contract.ts'
import { destinationCookie, destinationIn, destinationOf } from '#store/checkout/destination-cookie.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import type { Route } from './+types/cart-estimate'
import { countriesCall, lastOrderCall } from './checkout-calls.ts'
import { CostBreakdown } from './cost-breakdown.tsx'
import { DeliveredCountries } from './delivered-countries.tsx'
import { estimateCall } from './order-calls.ts'
import { UnpaidOrderNotices } from './unpaid-order-notice.tsx'

/** The destination that the address of the page asks for, which the browser remembers, or else the remembered one. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const call = context.get(apiCallerContext)
  const { searchParams, protocol } = new URL(request.url)
  const isAsked = searchParams.has('country')
  const asked = isAsked ? destinationIn(searchParams) : destinationOf(request.headers.get('cookie'))
  const [{ countries }, { order: lastOrder, others: otherUnpaid }] = await Promise.all([call(countriesCall, {}), call(lastOrderCall, {})])
  const [only = '', ...others] = countries
  const country = countries.includes(asked.country) ? asked.country : others.length === 0 ? only : ''
  const states = statesOf(country)?.map(({ code, name }) => ({ value: code, label: name })) ?? null
  const state = states?.some(({ value }) => value === asked.state) ? asked.state : ''
  const postalCode = country === asked.country ? asked.postalCode : ''
  const found = { estimate: null, problem: null as string | null }
  const postalCodeError = findPostalCodeError(country, postalCode)
  const costs =
    !country || postalCodeError
      ? found
      : await call(estimateCall, { querystring: { country, state: state || undefined, postalCode: postalCode || undefined } }).then(
          (estimate) => ({ ...found, estimate }),
          (error) => {
            if (!(error instanceof ApiError)) throw error
            return { ...found, problem: error.message }
          },
        )
  const destination = { ...asked, country, state, postalCode }
  const kept = postalCodeError ? { ...destination, postalCode: '' } : destination
  const headers = isAsked ? { 'set-cookie': destinationCookie(kept, { isSecure: protocol === 'https:' }) } : undefined
  const names = countries.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return data({ ...costs, destination, postalCodeError, names, states, lastOrder, otherUnpaid }, { headers })
}

/** What the basket costs with delivery and tax at a country, with and without tax, and the way to the checkout. A part of the basket's page. */
export default function CartEstimate({ loaderData }: Route.ComponentProps) {
  const { cart, loaded } = useOutletContext<Record<'cart' | 'loaded', Cart>>()
  const isStale = useEstimateOf(cart, loaded)
  const { estimate, problem, destination, lastOrder, otherUnpaid } = loaderData
  const hasTax = (estimate?.totals.taxCents ?? 0) > 0
  return (
    <>
      <DestinationForm {...loaderData} hasTax={hasTax} />
      {(estimate?.problem ?? problem) && <p className="text-sm font-medium text-bad">{estimate?.problem ?? problem}</p>}
      {estimate && !estimate.problem && (
        <CostBreakdown
          goodsCents={cart.totals.totalCents}
          estimate={estimate}
          isStale={isStale}
          withoutTax={hasTax && destination.withoutTax}
          hidesGoods
        />
      )}
      <UnpaidOrderNotices order={lastOrder} others={otherUnpaid} />
      {cart.canBeOrdered && (
        <ButtonLink to="/checkout" prefetch="none" className="text-lg">
          Check out
        </ButtonLink>
      )}
    </>
  )
}

type DestinationFormProps = Pick<Route.ComponentProps['loaderData'], 'destination' | 'postalCodeError' | 'names' | 'states'> & {
  hasTax: boolean
}

/** Asks for the page with the costs at what the form says. @param country that of the page */
function useDestinationForm(country: string) {
  const navigate = useNavigate()
  function ask(sentForm: HTMLFormElement | null) {
    if (!sentForm) return
    const sent = [...new FormData(sentForm)].map(([name, value]) => [name, `${value}`])
    return navigate(`/cart?${new URLSearchParams(sent)}`, { replace: true, preventScrollReset: true })
  }
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a country that was chosen before the script had loaded
  useEffect(() => {
    if (form.current && new FormData(form.current).get('country') !== country) ask(form.current)
  }, [])
  return { form, ask }
}

/** A plain form: with a script each change asks for the page with other costs, and without one its button does. */
function DestinationForm({ destination, postalCodeError, names, states, hasTax }: DestinationFormProps) {
  const { country, state, postalCode, withoutTax } = destination
  const { form, ask } = useDestinationForm(country)
  return (
    <form
      ref={form}
      method="get"
      action="/cart"
      onSubmit={(event) => {
        event.preventDefault()
        ask(event.currentTarget)
      }}
      className={`flex flex-col gap-3 ${country === '' ? 'print:hidden' : ''}`}
    >
      <SelectField
        label="Delivery to"
        name="country"
        defaultValue={country}
        onChange={({ target }) => ask(target.form)}
        options={[{ value: '', label: 'Choose a country' }, ...names]}
      />
      <DeliveredCountries count={names.length} />
      {states && (
        <SelectField
          key={country}
          label="State"
          name="state"
          defaultValue={state}
          onChange={({ target }) => ask(target.form)}
          options={[{ value: '', label: 'Choose' }, ...states]}
        />
      )}
      {country !== '' && (
        <Field
          label="Postal code"
          optional
          name="postalCode"
          defaultValue={postalCode}
          maxLength={20}
          error={postalCodeError}
          onBlur={({ target }) => target.value !== postalCode && ask(target.form)}
        />
      )}
      {hasTax ? <TaxChoice withoutTax={withoutTax} onChoose={ask} /> : withoutTax && <input type="hidden" name="tax" value="without" />}
      <noscript>
        <Button type="submit" variant="quiet">
          Show what it costs there
        </Button>
      </noscript>
    </form>
  )
}

type TaxChoiceProps = { withoutTax: boolean; onChoose: (form: HTMLFormElement | null) => void }

const TaxChoice = ({ withoutTax, onChoose }: TaxChoiceProps) => (
  <fieldset className="flex gap-4 text-sm">
    <legend className="sr-only">Total</legend>
    {[
      { value: 'with', label: 'With tax', isChosen: !withoutTax },
      { value: 'without', label: 'Without tax', isChosen: withoutTax },
    ].map(({ value, label, isChosen }) => (
      <label key={value} className="flex min-h-6 items-center gap-2">
        <input
          type="radio"
          name="tax"
          value={value}
          defaultChecked={isChosen}
          onChange={({ target }) => onChoose(target.form)}
          className="size-4 accent-leaf"
        />
        {label}
      </label>
    ))}
  </fieldset>
)

/**
 * Has the costs asked for again once the basket has changed on this page.
 * @param loaded the basket that the costs were asked for: an empty one shows none, so this may begin with lines that came later
 * @returns whether what is shown is of before
 */
function useEstimateOf(cart: Cart, loaded: Cart): boolean {
  const { revalidate, state } = useRevalidator()
  const { location } = useNavigation()
  const lines = describeLines(cart)
  const estimated = useRef(describeLines(loaded))
  useEffect(() => {
    if (estimated.current === lines) return
    estimated.current = lines
    revalidate()
  }, [lines, revalidate])
  return state === 'loading' || location?.pathname === '/cart'
}

const describeLines = ({ lines }: Cart): string => JSON.stringify(lines.map(({ productId, totalCents }) => [productId, totalCents]))
