import { useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { formatCents } from '#shared/money.ts'
import type { CheckoutEstimate, CheckoutMethod } from '#store/checkout/contract.ts'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'

type DeliveryChoiceProps = {
  estimate: CheckoutEstimate | undefined
  hasCountry: boolean
  /** the id of the method that was pressed last */
  pressed: string
  onChoose: (method: string) => void
}

/** The methods that fit, each with its price and the days of arrival. */
export function DeliveryChoice({ estimate, hasCountry, pressed, onChoose }: DeliveryChoiceProps) {
  if (!hasCountry) return <p className="text-soft">Choose the country first: methods, prices and days of arrival depend on it.</p>
  if (!estimate) return <p className="text-soft">Looking up how it can be delivered</p>
  if (estimate.problem)
    return (
      <Notice kind="error" title={estimate.problem}>
        Choose another address, or take out what cannot be delivered there.
      </Notice>
    )
  if (estimate.methods.length === 0) return <p className="text-soft">Delivery is included: nothing is added for it.</p>
  return <Methods {...estimate} pressed={pressed} onChoose={onChoose} />
}

type MethodsProps = Pick<CheckoutEstimate, 'methods' | 'chosenMethod'> & Pick<DeliveryChoiceProps, 'pressed' | 'onChoose'>

function Methods({ methods, chosenMethod, pressed, onChoose }: MethodsProps) {
  const chosen = methods.some(({ id }) => id === pressed) ? pressed : chosenMethod
  const method = methods.find(({ id }) => id === chosen)
  const replaced = useReplacedMethod(method, pressed)
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Delivery</legend>
      {method && replaced && (
        <Notice
          kind="warning"
          title={`Delivery is now ${method.name}, ${method.priceCents === 0 ? 'free' : formatCents(method.priceCents)}`}
        >
          {methods.some(({ id }) => id === replaced.id)
            ? `It costs less than ${replaced.name} now.`
            : `${replaced.name} is not offered for this basket and address.`}
        </Notice>
      )}
      {methods.map(({ id, name, carrier, earliest, latest, priceCents }) => (
        <label
          key={id}
          className="flex cursor-pointer items-start gap-3 rounded border border-edge bg-panel p-3 hover:border-ink has-checked:border-leaf has-checked:bg-tint"
        >
          <input
            type="radio"
            name="deliveryMethod"
            value={id}
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="mt-0.5 size-5 accent-leaf"
          />
          <span className="min-w-0 flex-1">
            <span className="font-semibold">{name}</span>
            {carrier && carrier !== name && <span className="text-soft">, {carrier}</span>}
            <span className="block text-sm">
              {earliest === latest ? `Arrives on ${formatDay(earliest)}` : `Arrives from ${formatDay(earliest)} to ${formatDay(latest)}`}
            </span>
          </span>
          <span className="font-semibold">{priceCents === 0 ? 'free' : <MoneyAmount amountCents={priceCents} />}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The method that the page has shown as chosen before this one, where nobody has pressed this one: what changes it is said. */
function useReplacedMethod(method: CheckoutMethod | undefined, pressed: string): CheckoutMethod | undefined {
  const [shown, show] = useState({ method, replaced: undefined as CheckoutMethod | undefined })
  if (!method || (method.id === shown.method?.id && (method.id !== pressed || !shown.replaced))) return shown.replaced
  show({ method, replaced: method.id === pressed ? undefined : shown.method })
  return undefined
}
