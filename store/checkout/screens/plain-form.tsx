import { countryCodes } from '#shared/countries.ts'
import { formatCents } from '#shared/money.ts'
import type { Cart } from '#store/cart/contract.ts'
import type { CheckoutEstimate, CheckoutFormState, LastOrder, OtherUnpaidOrders } from '#store/checkout/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { Notice } from '#web/notice.tsx'
import { AddressFields } from './address-fields.tsx'
import { appliedCodeText } from './applied-code.ts'
import { BusinessFields } from './business-fields.tsx'
import { ChangedTotal } from './changed-basket.tsx'
import { type CheckoutFields, fieldsOfState } from './checkout-fields.ts'
import { CheckoutPart } from './checkout-part.tsx'
import { ContactFields } from './contact-fields.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { OrderedLines } from './ordered-lines.tsx'
import { chosenPaymentMethod, orderButtonText, PaymentChoice } from './payment-choice.tsx'
import { UnpaidOrderNotices } from './unpaid-order-notice.tsx'

type PlainFormProps = {
  cart: Cart
  countries: string[]
  form: CheckoutFormState
  /** why the form before was refused, `form` where the state says it */
  refused: string | null
  /** of this page: the same page sent twice is one order */
  idempotencyKey: string
  lastOrder: LastOrder | null
  otherUnpaid: OtherUnpaidOrders
}

/**
 * The checkout where no script runs, up to the card. It is rendered on the server alone. Each of its buttons sends all of it, so nothing typed is
 * lost; what the country, the code and the delivery change is shown on the page that follows.
 */
export function PlainForm({ cart, countries, form, refused, idempotencyKey, lastOrder, otherUnpaid }: PlainFormProps) {
  const { typed, estimate, problem } = form
  const fields = fieldsOfState(form)
  if (cart.isOfAccount) return <BasketOfAccount />
  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside aria-label="Your order" className="flex flex-col gap-4 lg:sticky lg:top-4 lg:order-last">
        <UnpaidOrderNotices order={lastOrder} others={otherUnpaid} />
        <OrderedLines cart={cart} estimate={estimate ?? undefined} isStale={false} />
      </aside>
      <form method="post" action="/checkout" noValidate className="flex min-w-0 flex-col gap-6">
        {refused && <Refusal {...{ cart, form, refused }} />}
        <input type="hidden" name="key" value={idempotencyKey} />
        {estimate && <input type="hidden" name="expectedTotalCents" value={estimate.totals.totalCents} />}
        <CheckoutPart title="Contact">
          <ContactFields fields={fields} accountEmail={null} />
        </CheckoutPart>
        <CheckoutPart title="Deliver to" id="deliver-to">
          <Field label="Full name" autoComplete="shipping name" required error={fields.errorOf('name')} {...fields.propsOf('name')} />
          <AddressFields fields={fields} of="deliverTo" country={typed.deliverTo.country} countries={countries}>
            <SendButton send="deliver-to">Show fields for this country</SendButton>
          </AddressFields>
          <BusinessFields fields={fields} cart={cart} opened={typed} />
          <BillingAddress fields={fields} form={form} />
        </CheckoutPart>
        <CheckoutPart title="Delivery" id="delivery">
          {fields.errorOf('deliveryMethod') && <Notice kind="warning" title={fields.errorOf('deliveryMethod')} />}
          <DeliveryChoice
            estimate={estimate ?? undefined}
            hasCountry={typed.deliverTo.country !== ''}
            pressed={typed.deliveryMethod}
            onChoose={() => {}}
          />
          {estimate && estimate.methods.length > 1 && <SendButton send="delivery">Show the costs with this delivery</SendButton>}
        </CheckoutPart>
        <CheckoutPart title="Pay" id="code">
          <DiscountCode fields={fields} estimate={estimate} code={typed.discountCode.trim()} />
          {problem && <Notice kind="error" title={problem} />}
          <PaymentChoice methods={estimate?.paymentMethods} pressed={typed.paymentMethod} onChoose={() => {}} isPlain />
          <Button type="submit" name="send" value="order" disabled={Boolean(estimate?.problem)} className="text-lg">
            {orderButtonText(
              estimate && estimate.paymentMethods.length > 1 ? undefined : chosenPaymentMethod(estimate?.paymentMethods, ''),
              estimate && !estimate.problem ? formatCents(estimate.totals.totalCents) : undefined,
            )}
          </Button>
        </CheckoutPart>
      </form>
    </div>
  )
}

const SendButton = ({ send, children }: { send: string; children: string }) => (
  <Button type="submit" name="send" value={send} variant="quiet" className="shrink-0 self-start">
    {children}
  </Button>
)

type RefusalProps = Pick<PlainFormProps, 'cart' | 'form'> & { refused: string }

/** What was wrong with the form before, with a link to each field. */
function Refusal({ cart, form: { refusal, estimate }, refused }: RefusalProps) {
  if (refused === 'form' && !refusal) return null // the way back, once the form was sent again without a fault
  const { code, message, errors } = (refused === 'form' && refusal) || { code: refused, message: 'Nothing was ordered', errors: {} }
  const hasNewTotal = code === 'total_changed' || code === 'stock_changed'
  const wrong = Object.entries(errors)
    .filter(([, error]) => error !== message)
    .sort(([one], [other]) => fieldOrder.indexOf(one.split('.')[0] ?? '') - fieldOrder.indexOf(other.split('.')[0] ?? ''))
  return (
    <Notice
      kind={hasNewTotal ? 'warning' : 'error'}
      title={<span id="refused">{message}</span>}
      action={
        basketCodes.includes(code) && (
          <ButtonLink to="/cart" prefetch="none">
            To the basket
          </ButtonLink>
        )
      }
    >
      {hasNewTotal ? (
        <ChangedTotal totalCents={estimate?.totals.totalCents} cart={cart} />
      ) : (
        <p>{refusalWords.get(code) ?? 'Nothing was ordered, and what you typed is kept. Correct it and order again.'}</p>
      )}
      <ul className="list-disc ps-5">
        {wrong.map(([name, error]) => (
          <li key={name}>
            <a href={`#${name}`} className="underline underline-offset-2">
              {error}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** From top to bottom. */
const fieldOrder = [
  'email',
  'phone',
  'name',
  'deliverTo',
  'company',
  'vatId',
  'poNumber',
  'buyerReference',
  'billTo',
  'deliveryMethod',
  'discountCode',
]

const basketCodes = ['cart_changed', 'cart_empty', 'stock_too_low']

/** As a Map: the code may stand in the address. */
const refusalWords = new Map(
  Object.entries({
    too_many_requests: 'Your form was sent very often today. Try again later.',
    forbidden: 'The form was not sent from this page. Send it again here.',
  }),
)

function DiscountCode({ fields, estimate, code }: { fields: CheckoutFields; estimate: CheckoutEstimate | null; code: string }) {
  const isApplied = code !== '' && estimate !== null && fields.errorOf('discountCode') === undefined
  return (
    <div className="max-w-md">
      <Field
        {...fields.propsOf('discountCode')}
        label="Discount code"
        optional
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="figures"
        error={fields.errorOf('discountCode')}
        hint={isApplied ? appliedCodeText(code, estimate) : undefined}
      >
        <SendButton send="code">Apply</SendButton>
      </Field>
    </div>
  )
}

/** In any country, as `BillingAddress` of `order-form.tsx` has it. */
function BillingAddress({ fields, form: { typed } }: { fields: CheckoutFields; form: CheckoutFormState }) {
  const country = typed.billTo.country || typed.deliverTo.country
  return (
    <details open={typed.billsElsewhere || undefined} className="rounded border border-line p-4">
      <summary className="min-h-6 cursor-pointer font-semibold">The invoice goes to another address</summary>
      <div className="mt-4 flex flex-col gap-4">
        <label className="flex min-h-6 items-center gap-2">
          <input type="checkbox" name="billsElsewhere" value="yes" defaultChecked={typed.billsElsewhere} className="size-5 accent-leaf" />
          Use this address for the invoice
        </label>
        <AddressFields fields={fields} of="billTo" country={country} countries={countryCodes}>
          <SendButton send="deliver-to">Show fields for this country</SendButton>
        </AddressFields>
      </div>
    </details>
  )
}

/** An account orders with what its sign-in has left in the browser, which no form sends. */
const BasketOfAccount = () => (
  <Notice
    kind="info"
    title="This is the basket of your account"
    action={
      <ButtonLink to="/cart" prefetch="none">
        To the basket
      </ButtonLink>
    }
  >
    To order it you sign in, and signing in needs JavaScript: switch it on in your browser, then load this page again.
  </Notice>
)
