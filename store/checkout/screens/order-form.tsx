import { type SyntheticEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import { countryCodes } from '#shared/countries.ts'
import { formatCents } from '#shared/money.ts'
import type { Cart } from '#store/cart/contract.ts'
import type { CheckoutDefaults, LastOrder } from '#store/checkout/contract.ts'
import {
  type CheckoutForm,
  initialForm,
  isCompleteAddress,
  type TypedAddress,
  toCheckoutBody,
  toEstimateQuery,
} from '#store/checkout/typed-checkout.ts'
import { loginUrlReturningTo } from '#store/identity/screens/return-url.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { forgetIdempotencyKey, idempotencyKeyFor } from '#store/orders/screens/idempotency-key.ts'
import { type Account, useAccount } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { clearDraft, loadDraft, saveDraft } from '#web/form-draft.ts'
import { lazyZodResolver } from '#web/lazy-resolver.ts'
import { TextLink } from '#web/text-link.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { WatchedAddressFields } from './address-fields.tsx'
import { BusinessFields } from './business-fields.tsx'
import { ChangedBasket, useBasketChanges } from './changed-basket.tsx'
import { type CheckoutFormHandle, fieldsOfForm } from './checkout-fields.ts'
import { CheckoutPart } from './checkout-part.tsx'
import { CheckoutRefusal } from './checkout-refusal.tsx'
import { CompanyAddressChoice } from './company-address-choice.tsx'
import { ContactFields } from './contact-fields.tsx'
import { DeliverTo } from './deliver-to.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { DiscountCodeField } from './discount-code-field.tsx'
import { checkoutCall } from './order-calls.ts'
import { OrderedLines } from './ordered-lines.tsx'
import { UnpaidOrderNotice } from './unpaid-order-notice.tsx'
import { type EstimateQuestion, useEstimate } from './use-estimate.ts'

type OrderFormProps = {
  /** null for a visitor */
  account: Account | null
  cart: Cart
  defaults: CheckoutDefaults | undefined
  /** what a visitor has typed before without a script, or the country of their last estimate */
  typedBefore: CheckoutForm
  countries: string[]
  /** that the basket was placed as */
  lastOrder: LastOrder | null
}

/** One page: contact, address, delivery, payment, and what it costs beside them all the time. */
export function OrderForm({ account, cart, defaults, typedBefore, countries, lastOrder }: OrderFormProps) {
  const isVisitor = account === null
  const changes = useBasketChanges(cart)
  const company = defaults?.ofCompany ?? null
  const [chosenAddresses, setChosenAddresses] = useState(0)
  const draft = `checkout ${account?.email ?? ''}`
  const [start] = useState(() => openForm(draft, defaults, typedBefore, lastOrder))
  const [rules] = useState(() => lazyZodResolver(async () => (await import('./checkout-schema.ts')).checkoutSchema({ isVisitor })))
  const form = useValidatedForm({ resolver: rules.resolver, defaultValues: start.values }) as CheckoutFormHandle
  const [appliedCode, setAppliedCode] = useState(start.values.discountCode.trim())
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const isSignedOutElsewhere = useAccount() === null && !isVisitor

  const [refusedCode, setRefusedCode] = useState<{ code: string; why: string }>()
  const isRefused = refusedCode?.code === appliedCode
  const discountCode = isRefused ? '' : appliedCode
  const question = useQuestion(form, discountCode)
  const { estimate, isStale, refusal: estimateRefusal, settle } = useEstimate(question, cart)
  const codeRefusal = estimateRefusal?.errors.discountCode
  if (codeRefusal && !isRefused) setRefusedCode({ code: appliedCode, why: codeRefusal }) // the costs are then those without the code
  const totalCents = estimate?.totals.totalCents
  const shownTotal = question && estimate?.problem === null ? totalCents : undefined

  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: fieldsOfRefusals,
    async send(typed) {
      const settled = await settle()
      const expectedTotalCents = settled?.totals.totalCents
      const shown = { ...typed, discountCode, deliveryMethod: settled?.chosenMethod ?? '' }
      if (expectedTotalCents !== undefined && shownTotal !== undefined && expectedTotalCents !== shownTotal)
        throw new ApiError(409, { code: 'total_changed', message: `The order now costs ${formatCents(expectedTotalCents)}` })
      const body = { ...toCheckoutBody(shown, { isVisitor }), expectedTotalCents }
      return callApi(checkoutCall, { idempotencyKey: idempotencyKeyFor(draft, { body, lines: cart.lines }), body })
    },
    async onDone({ number, lines, link }, typed) {
      clearDraft(visitorDraft)
      saveDraft(draft, typed) // for whoever comes back before paying
      saveDraft(orderOf(draft), { number })
      forgetIdempotencyKey(draft)
      await navigate(link ? `${new URL(link).pathname}?pay=1` : `/dashboard/payment/${lines[0]?._id}`)
    },
    async onRefused({ errors }) {
      await revalidate() // prices and stock of now, and with them a new estimate
      if (errors.discountCode) form.setFocus('discountCode')
    },
  })
  const isSending = form.formState.isSubmitting
  const fields = fieldsOfForm(form)

  /** A code that was refused stops the order at its field, as it does without a script: whoever typed it expects what it takes off. */
  async function order(event: SyntheticEvent) {
    if (!isRefused) return submit(event)
    event.preventDefault()
    if (await form.trigger(undefined, { shouldFocus: true })) form.setFocus('discountCode')
  }

  /** Also asks again for a code that was refused: what it asks for may have come true. */
  function applyCode(code: string, { isPressed }: { isPressed: boolean }) {
    if (isPressed) setRefusedCode(undefined)
    setAppliedCode(code)
  }

  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside aria-label="Your order" className="flex flex-col gap-4 lg:sticky lg:top-4 lg:order-last">
        <UnpaidOrderNotice order={lastOrder} />
        <ChangedBasket changes={changes} />
        <OrderedLines cart={cart} estimate={estimate} isStale={isStale} />
      </aside>
      <form method="post" onSubmit={order} onFocus={rules.preload} noValidate className="flex min-w-0 flex-col gap-6">
        <CheckoutPart title="Contact">
          <ContactFields
            fields={fields}
            accountEmail={account?.email ?? null}
            signIn={
              <>
                You have an account? <TextLink to={loginUrlReturningTo(location.href)}>Sign in</TextLink>
              </>
            }
          />
        </CheckoutPart>
        <CheckoutPart title="Deliver to">
          {company && <CompanyOrder {...{ form, company, countries }} onChosen={() => setChosenAddresses((count) => count + 1)} />}
          <DeliverTo
            key={chosenAddresses} // shows the chosen one as a summary
            form={form}
            countries={countries}
            startsOpen={!isCompleteAddress(chosenAddresses === 0 ? start.values.deliverTo : form.getValues('deliverTo'))}
          />
          <BusinessFields fields={fields} cart={cart} opened={start.values} />
          <BillingAddress form={form} company={company} />
        </CheckoutPart>
        {(!estimate || estimate.methods.length > 0 || estimate.problem !== null) && (
          <CheckoutPart title="Delivery">
            <DeliveryChoice
              estimate={estimate}
              hasCountry={question !== undefined}
              pressed={question?.deliveryMethod ?? ''}
              onChoose={(method) => form.setValue('deliveryMethod', method, { shouldDirty: true })}
            />
          </CheckoutPart>
        )}
        <CheckoutPart title="Pay">
          <DiscountCodeField form={form} applied={appliedCode} refusal={isRefused ? refusedCode.why : undefined} onApply={applyCode} />
          <p className="text-sm text-soft">
            You pay by card on the next page: nothing is charged before. The pieces are held for you meanwhile.
          </p>
          {isSignedOutElsewhere && <SignedOutElsewhereNotice />}
          {!isSignedOutElsewhere && refusal && !refusal.errors.discountCode && (
            <CheckoutRefusal refusal={refusal} totalCents={isStale ? undefined : shownTotal} {...{ cart, changes }} />
          )}
          {estimateRefusal && !codeRefusal && !refusal && (
            <CheckoutRefusal refusal={estimateRefusal} totalCents={undefined} {...{ cart, changes }} />
          )}
          {!isSignedOutElsewhere && (
            <Button type="submit" busy={isSending} busyLabel="Ordering" disabled={Boolean(estimate?.problem)} className="text-lg">
              {shownTotal === undefined ? 'Order and pay' : `Order and pay ${formatCents(shownTotal)}`}
            </Button>
          )}
        </CheckoutPart>
      </form>
    </div>
  )
}

const fieldsOfRefusals = [
  ...(['email', 'phone', 'name', 'company', 'vatId', 'poNumber', 'buyerReference', 'discountCode'] as const),
  ...(['country', 'line1', 'line2', 'city', 'postalCode', 'state'] as const).flatMap(
    (field) => [`deliverTo.${field}`, `billTo.${field}`] as const,
  ),
]

const visitorDraft = 'checkout '

/** The key under which the number of the order is kept that a draft was placed as. */
const orderOf = (draft: string) => `order of ${draft}`

/**
 * What was typed before in this tab, also before signing in; else what the account has typed last, or the country of the last estimate. What
 * an order was placed with is kept until it is paid, in the tab alone, as it has the address of whoever sits at the machine.
 */
function openForm(
  draft: string,
  defaults: CheckoutDefaults | undefined,
  typedBefore: CheckoutForm,
  lastOrder: LastOrder | null,
): { values: CheckoutForm } {
  const kept = { ...loadDraft<CheckoutForm>(visitorDraft), ...loadDraft<CheckoutForm>(draft) }
  const { number } = loadDraft<{ number: number }>(orderOf(draft))
  const isPaid = number !== undefined && lastOrder?.isPaid && lastOrder.number >= number
  if (isPaid) for (const key of [visitorDraft, draft, orderOf(draft)]) clearDraft(key)
  const values = draft === visitorDraft ? typedBefore : initialForm(defaults, { country: typedBefore.deliverTo.country })
  const known = { ...values, ...(isPaid ? {} : kept) }
  const isOvertaken = !isPaid && kept.deliverTo !== undefined && isEstimatedSince(draft, kept.deliverTo, typedBefore.deliverTo)
  saveDraft(destinationOf(draft), typedBefore.deliverTo)
  if (!isOvertaken) return { values: known }
  const estimated = { ...known, deliverTo: typedBefore.deliverTo }
  saveDraft(draft, estimated)
  return { values: estimated }
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

/** What the estimate is asked for, as the form stands; undefined without a country. */
function useQuestion({ control }: CheckoutFormHandle, discountCode: string): EstimateQuestion | undefined {
  const [deliverTo, vatId, deliveryMethod] = useWatch({ control, name: ['deliverTo', 'vatId', 'deliveryMethod'] })
  return toEstimateQuery({ deliverTo, vatId, deliveryMethod }, discountCode)
}

type CompanyOrderProps = Pick<Parameters<typeof CompanyAddressChoice>[0], 'form' | 'company' | 'countries' | 'onChosen'>

function CompanyOrder({ company, ...choice }: CompanyOrderProps) {
  return (
    <>
      <p className="text-sm text-soft">This order is that of {company.name}: all of its members see it, and can pay and cancel it.</p>
      <CompanyAddressChoice {...choice} company={company} of="deliverTo" />
    </>
  )
}

type BillingAddressProps = { form: CheckoutFormHandle; company: CheckoutDefaults['ofCompany'] }

/** In any country, also where nothing is delivered to: tax depends on where the order goes, and on the VAT id. */
function BillingAddress({ form, company }: BillingAddressProps) {
  const isElsewhere = useWatch({ control: form.control, name: 'billsElsewhere' })
  return (
    <>
      <label className="flex min-h-6 items-center gap-2">
        <input type="checkbox" className="size-5 accent-leaf" {...form.register('billsElsewhere')} />
        The invoice goes to another address
      </label>
      {isElsewhere && (
        <fieldset className="flex flex-col gap-4">
          <legend className="mb-3 font-semibold">Address of the invoice</legend>
          {company && <CompanyAddressChoice {...{ form, company }} countries={countryCodes} of="billTo" />}
          <WatchedAddressFields form={form} of="billTo" countries={countryCodes} />
        </fieldset>
      )}
    </>
  )
}
