import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import { formatCents } from '#shared/money.ts'
import type { Cart } from '#store/cart/contract.ts'
import type { CheckoutDefaults } from '#store/checkout/contract.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { forgetIdempotencyKey, idempotencyKeyFor } from '#store/orders/screens/idempotency-key.ts'
import { type Account, useAccount } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { clearDraft, loadDraft } from '#web/form-draft.ts'
import { lazyZodResolver } from '#web/lazy-resolver.ts'
import { Panel } from '#web/panel.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { AddressFields, type CheckoutFormHandle } from './address-fields.tsx'
import { BusinessFields } from './business-fields.tsx'
import { checkoutCall } from './checkout-calls.ts'
import { type CheckoutForm, initialForm, isCompleteAddress, toCheckoutBody } from './checkout-form.ts'
import { CheckoutRefusal } from './checkout-refusal.tsx'
import { ContactFields } from './contact-fields.tsx'
import { DeliverTo } from './deliver-to.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { DiscountCodeField } from './discount-code-field.tsx'
import { OrderedLines } from './ordered-lines.tsx'
import { recallDestination, rememberDestination } from './remembered-destination.ts'
import { type EstimateQuestion, useEstimate } from './use-estimate.ts'

type OrderFormProps = {
  /** null for a visitor */
  account: Account | null
  cart: Cart
  defaults: CheckoutDefaults | undefined
  countries: string[]
}

/** One page: contact, address, delivery, payment, and what it costs beside them all the time. */
export function OrderForm({ account, cart, defaults, countries }: OrderFormProps) {
  const isVisitor = account === null
  const draft = `checkout ${account?.email ?? ''}`
  const [start] = useState(() => openForm(draft, defaults, countries))
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
    async onDone({ lines, link }, { deliverTo }) {
      rememberDestination({ country: deliverTo.country })
      clearDraft(visitorDraft)
      forgetIdempotencyKey(draft)
      await navigate(link ? `${new URL(link).pathname}?pay=1` : `/dashboard/payment/${lines[0]?._id}`)
    },
    async onRefused() {
      await revalidate() // prices and stock of now, and with them a new estimate
    },
  })
  const isSending = form.formState.isSubmitting

  /** Also asks again for a code that was refused: what it asks for may have come true. */
  function applyCode(code: string, { isPressed }: { isPressed: boolean }) {
    if (isPressed) setRefusedCode(undefined)
    setAppliedCode(code)
  }

  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside aria-label="Your order" className="lg:sticky lg:top-4 lg:order-last">
        <OrderedLines cart={cart} estimate={estimate} isStale={isStale} />
      </aside>
      <form method="post" onSubmit={submit} onFocus={rules.preload} noValidate className="flex min-w-0 flex-col gap-6">
        <Part title="Contact">
          <ContactFields form={form} account={account} />
        </Part>
        <Part title="Deliver to">
          <DeliverTo form={form} countries={countries} startsOpen={!isCompleteAddress(start.values.deliverTo)} />
          <BusinessFields form={form} cart={cart} />
          <BillingAddress form={form} countries={countries} />
        </Part>
        {(!estimate || estimate.methods.length > 0 || estimate.problem !== null) && (
          <Part title="Delivery">
            <DeliveryChoice
              estimate={estimate}
              hasCountry={question !== undefined}
              pressed={question?.deliveryMethod ?? ''}
              onChoose={(method) => form.setValue('deliveryMethod', method, { shouldDirty: true })}
            />
          </Part>
        )}
        <Part title="Pay">
          <DiscountCodeField form={form} applied={appliedCode} refusal={isRefused ? refusedCode.why : undefined} onApply={applyCode} />
          <p className="text-sm text-soft">
            You pay by card on the next page: nothing is charged before. The pieces are held for you meanwhile.
          </p>
          {isSignedOutElsewhere && <SignedOutElsewhereNotice />}
          {!isSignedOutElsewhere && refusal && <CheckoutRefusal refusal={refusal} totalCents={shownTotal} />}
          {estimateRefusal && !codeRefusal && !refusal && <CheckoutRefusal refusal={estimateRefusal} totalCents={undefined} />}
          {!isSignedOutElsewhere && (
            <Button type="submit" busy={isSending} busyLabel="Ordering" disabled={Boolean(estimate?.problem)} className="text-lg">
              {shownTotal === undefined ? 'Order and pay' : `Order and pay ${formatCents(shownTotal)}`}
            </Button>
          )}
        </Part>
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

/** What was typed before in this tab, also before signing in; else what the account has typed last, or the country of the last estimate. */
function openForm(draft: string, defaults: CheckoutDefaults | undefined, countries: string[]): { values: CheckoutForm } {
  const remembered = recallDestination().country
  const [only, ...others] = countries
  const country = others.length === 0 && only ? only : countries.includes(remembered) ? remembered : ''
  const kept = { ...loadDraft<CheckoutForm>(visitorDraft), ...loadDraft<CheckoutForm>(draft) }
  return { values: { ...initialForm(defaults, country), ...kept } }
}

/** What the estimate is asked for, as the form stands; undefined without a country. */
function useQuestion({ control }: CheckoutFormHandle, discountCode: string): EstimateQuestion | undefined {
  const [{ country, state, postalCode }, vatId, deliveryMethod] = useWatch({ control, name: ['deliverTo', 'vatId', 'deliveryMethod'] })
  if (!country) return undefined
  const said = (text: string) => text.trim() || undefined
  return {
    country,
    state: said(state)?.slice(0, 50),
    postalCode: said(postalCode)?.slice(0, 20),
    vatId: said(vatId)?.slice(0, 20),
    deliveryMethod: said(deliveryMethod),
    discountCode: said(discountCode),
  }
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel as="section" variant="raised" aria-label={title} className="flex flex-col gap-4 sm:p-6">
      <h2 className="text-xl">{title}</h2>
      {children}
    </Panel>
  )
}

function BillingAddress({ form, countries }: { form: CheckoutFormHandle; countries: string[] }) {
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
          <AddressFields form={form} of="billTo" countries={countries} />
        </fieldset>
      )}
    </>
  )
}
