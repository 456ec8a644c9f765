import { useState } from 'react'
import { useOutletContext } from 'react-router'
import { countryName } from '#shared/countries.ts'
import type { Cart } from '#store/cart/contract.ts'
import { apiCallerContext } from '#web/api-caller.ts'
import { ButtonLink } from '#web/button.tsx'
import { SelectField } from '#web/select-field.tsx'
import { useHydrated } from '#web/use-hydrated.ts'
import type { Route } from './+types/cart-estimate'
import { countriesCall } from './checkout-calls.ts'
import { CostBreakdown } from './cost-breakdown.tsx'
import { recallDestination, rememberDestination } from './remembered-destination.ts'
import { useEstimate } from './use-estimate.ts'

export const loader = async ({ context }: Route.LoaderArgs) => context.get(apiCallerContext)(countriesCall, {})

/** What the basket costs with delivery and tax at a country, with and without tax, and the way to the checkout. A part of the basket's page. */
export default function CartEstimate({ loaderData: { countries } }: Route.ComponentProps) {
  const cart = useOutletContext<Cart>()
  const isHydrated = useHydrated()
  return (
    <>
      {isHydrated && <Estimate cart={cart} countries={countries} />}
      {cart.canBeOrdered && (
        <ButtonLink to="/checkout" className="text-lg">
          Check out
        </ButtonLink>
      )}
    </>
  )
}

function Estimate({ cart, countries }: { cart: Cart; countries: string[] }) {
  const [{ country: remembered, showsTax }, setDestination] = useState(recallDestination)
  const [only, ...others] = countries
  const country = countries.includes(remembered) ? remembered : others.length === 0 ? (only ?? '') : ''
  const { estimate, isStale, refusal } = useEstimate(country === '' ? undefined : { country }, cart)
  const choose = (changed: Partial<ReturnType<typeof recallDestination>>) => {
    rememberDestination(changed)
    setDestination(recallDestination)
  }
  const names = countries.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) => a.label.localeCompare(b.label, 'en'))
  const hasTax = (estimate?.totals.taxCents ?? 0) > 0
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="Delivery to"
        value={country}
        onChange={({ target }) => choose({ country: target.value })}
        options={[{ value: '', label: 'Choose a country' }, ...names]}
      />
      {estimate?.problem && <p className="text-sm font-medium text-bad">{estimate.problem}</p>}
      {refusal && <p className="text-sm font-medium text-bad">{refusal.message}</p>}
      {estimate && !estimate.problem && (
        <CostBreakdown
          goodsCents={cart.totals.totalCents}
          estimate={estimate}
          isStale={isStale}
          withoutTax={hasTax && !showsTax}
          hidesGoods
        />
      )}
      {hasTax && (
        <fieldset className="flex gap-4 text-sm">
          <legend className="sr-only">Total</legend>
          {[true, false].map((withTax) => (
            <label key={`${withTax}`} className="flex min-h-6 items-center gap-2">
              <input
                type="radio"
                name="tax"
                checked={showsTax === withTax}
                onChange={() => choose({ showsTax: withTax })}
                className="size-4 accent-leaf"
              />
              {withTax ? 'With tax' : 'Without tax'}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}
