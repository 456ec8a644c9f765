import type { OfferedPaymentMethod } from '#store/orders/payment-methods/contract.ts'
import type { PaymentMethod } from '#store/orders/statuses.ts'

/** The method of those offered that is chosen: the one that was pressed last, if it can be used, else the first that can. */
export function chosenPaymentMethod(methods: OfferedPaymentMethod[] | undefined, pressed: string): PaymentMethod {
  const usable = (methods ?? []).filter(({ problem }) => problem === null)
  return (usable.find(({ method }) => method === pressed) ?? usable[0])?.method ?? 'card'
}

const labels: Record<PaymentMethod, string> = { card: 'Card', bank_transfer: 'Bank transfer', on_account: 'On account' }

type PaymentChoiceProps = {
  /** undefined: not known yet */
  methods: OfferedPaymentMethod[] | undefined
  /** the method that was pressed last */
  pressed: string
  onChoose: (method: PaymentMethod) => void
  /** whether the page works without a script, and the one where a card is entered does not */
  isPlain?: boolean
}

/** How the order is paid: the methods of the shop or, where it has one, what that means. */
export function PaymentChoice({ methods, pressed, onChoose, isPlain = false }: PaymentChoiceProps) {
  const chosen = chosenPaymentMethod(methods, pressed)
  if (!methods || methods.length < 2)
    return <p className="text-sm text-soft">{describe(methods?.[0] ?? { method: chosen, problem: null, holdDays: null }, isPlain)}</p>
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Pay by</legend>
      {methods.map((offered) => (
        <label
          key={offered.method}
          className="flex cursor-pointer items-start gap-3 rounded border border-edge bg-panel p-3 hover:border-ink has-checked:border-leaf has-checked:bg-tint has-disabled:cursor-not-allowed"
        >
          <input
            type="radio"
            name="paymentMethod"
            value={offered.method}
            checked={offered.method === chosen}
            disabled={offered.problem !== null}
            onChange={() => onChoose(offered.method)}
            className="mt-0.5 size-5 accent-leaf"
          />
          <span className="min-w-0 flex-1">
            <span className="font-semibold">{labels[offered.method]}</span>
            <span className="block text-sm">{offered.problem ?? describe(offered, isPlain)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function describe({ method, holdDays, dueDays }: OfferedPaymentMethod, isPlain: boolean): string {
  if (method === 'card')
    return `You pay by card on the next page${isPlain ? ', which needs JavaScript' : ''}: nothing is charged before. The pieces are held for you meanwhile.`
  if (method === 'on_account')
    return `Sent at once, for your company. You pay the invoice that comes with each parcel within ${dueDays === 1 ? 'a day' : `${dueDays} days`}.`
  const held = holdDays === 1 ? 'a day' : `${holdDays} days`
  return `You transfer the amount within ${held}: our account and the reference stand on the next page. It is sent once the money is here, and the days until it arrives count from then.`
}

/** What the button says that orders. @param method undefined: it may be another one by the time it is pressed */
export function orderButtonText(method: PaymentMethod | undefined, total: string | undefined): string {
  if (method === 'card') return total === undefined ? 'Order and pay' : `Order and pay ${total}`
  return total === undefined ? 'Order' : `Order for ${total}`
}
