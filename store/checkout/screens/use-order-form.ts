import { type SyntheticEvent, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate, useRevalidator } from 'react-router'
import { formatCents } from '#shared/money.ts'
import type { Cart } from '#store/cart/contract.ts'
import type { CheckoutDefaults, LastOrder } from '#store/checkout/contract.ts'
import { type CheckoutForm, toCheckoutBody, toEstimateQuery } from '#store/checkout/typed-checkout.ts'
import { forgetIdempotencyKey, idempotencyKeyFor } from '#store/orders/screens/idempotency-key.ts'
import { type Account, applyVisitorToNavigation } from '#web/account.ts'
import { ApiError } from '#web/api-error.ts'
import { callApi } from '#web/call-api.ts'
import { lazyZodResolver } from '#web/lazy-resolver.ts'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { CheckoutFormHandle } from './checkout-fields.ts'
import { checkoutCall } from './order-calls.ts'
import { keepOrderedForm, openForm } from './order-draft.ts'
import { chosenPaymentMethod } from './payment-choice.tsx'
import { type EstimateQuestion, useEstimate } from './use-estimate.ts'

export type OrderToFill = {
  /** null for a visitor */
  account: Account | null
  cart: Cart
  defaults: CheckoutDefaults | undefined
  /** what a visitor has typed before without a script, or the country of their last estimate */
  typedBefore: CheckoutForm
  /** that the basket was placed as */
  lastOrder: LastOrder | null
}

export type OrderFormState = ReturnType<typeof useOrderForm>

/** The form of the checkout, with its discount code, what the order costs as the form stands, and how it is placed. */
export function useOrderForm({ account, cart, defaults, typedBefore, lastOrder }: OrderToFill) {
  const isVisitor = account === null
  const draft = `checkout ${account?.email ?? ''}`
  const [start] = useState(() => openForm(draft, defaults, typedBefore, lastOrder))
  const [rules] = useState(() => lazyZodResolver(async () => (await import('./checkout-schema.ts')).checkoutSchema({ isVisitor })))
  const form = useValidatedForm({ resolver: rules.resolver, defaultValues: start.values }) as CheckoutFormHandle
  const code = useDiscountCode(start.values.discountCode.trim())
  const costs = useCosts(form, code, cart)
  const { order, refusal } = usePlacing(form, { draft, isVisitor, cart, code, costs })
  return { form, preloadRules: rules.preload, opened: start.values, code, costs, order, refusal }
}

type DiscountCode = ReturnType<typeof useDiscountCode>

/** The code of the order: the one of its field, once that is typed. */
function useDiscountCode(opened: string) {
  const [applied, setApplied] = useState(opened)
  const [refused, setRefused] = useState<{ code: string; why: string }>()
  const isRefused = refused?.code === applied
  return {
    applied,
    isRefused,
    /** why it cannot be used */
    refusal: isRefused ? refused.why : undefined,
    /** what costs are asked with */
    usable: isRefused ? '' : applied,
    refuse: (why: string) => setRefused({ code: applied, why }),
    /** Also asks again for a code that was refused: what it asks for may have come true. */
    apply(code: string, { isPressed }: { isPressed: boolean }) {
      if (isPressed) setRefused(undefined)
      setApplied(code)
    },
  }
}

/** What the order costs as the form stands. */
function useCosts(form: CheckoutFormHandle, code: DiscountCode, cart: Cart) {
  const question = useQuestion(form, code.usable)
  const { estimate, isStale, refusal, settle } = useEstimate(question, cart)
  const codeRefusal = refusal?.errors.discountCode
  if (codeRefusal && !code.isRefused) code.refuse(codeRefusal) // the costs are then those without the code
  const shownTotal = question && estimate?.problem === null ? estimate.totals.totalCents : undefined
  return { question, estimate, isStale, refusal, settle, shownTotal }
}

/** What the estimate is asked for, as the form stands; undefined without a country. */
function useQuestion({ control }: CheckoutFormHandle, discountCode: string): EstimateQuestion | undefined {
  const [deliverTo, vatId, deliveryMethod] = useWatch({ control, name: ['deliverTo', 'vatId', 'deliveryMethod'] })
  return toEstimateQuery({ deliverTo, vatId, deliveryMethod }, discountCode)
}

type OrderToPlace = { draft: string; isVisitor: boolean; cart: Cart; code: DiscountCode; costs: ReturnType<typeof useCosts> }

/** Places the order at the total that the page shows, and goes on to its payment. */
function usePlacing(form: CheckoutFormHandle, { draft, isVisitor, cart, code, costs: { settle, shownTotal } }: OrderToPlace) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: fieldsOfRefusals,
    async send(typed) {
      const settled = await settle()
      const expectedTotalCents = settled?.totals.totalCents
      const paymentMethod = settled ? chosenPaymentMethod(settled.paymentMethods, typed.paymentMethod) : ''
      const shown = { ...typed, discountCode: code.usable, deliveryMethod: settled?.chosenMethod ?? '', paymentMethod }
      if (expectedTotalCents !== undefined && shownTotal !== undefined && expectedTotalCents !== shownTotal)
        throw new ApiError(409, { code: 'total_changed', message: `The order now costs ${formatCents(expectedTotalCents)}` })
      const body = { ...toCheckoutBody(shown, { isVisitor }), expectedTotalCents }
      return callApi(checkoutCall, { idempotencyKey: idempotencyKeyFor(draft, { body, lines: cart.lines }), body })
    },
    async onDone({ number, lines, link }, typed) {
      keepOrderedForm(draft, typed, number)
      forgetIdempotencyKey(draft)
      applyVisitorToNavigation() // by another method than a card the basket is empty now
      await navigate(link ? `${new URL(link).pathname}?pay=1` : `/dashboard/payment/${lines[0]?._id}`)
    },
    async onRefused({ errors }) {
      await revalidate() // prices and stock of now, and with them a new estimate
      if (errors.discountCode) form.setFocus('discountCode')
    },
  })

  /** A code that was refused stops the order at its field, as it does without a script: whoever typed it expects what it takes off. */
  async function order(event: SyntheticEvent) {
    if (!code.isRefused) return submit(event)
    event.preventDefault()
    if (await form.trigger(undefined, { shouldFocus: true })) form.setFocus('discountCode')
  }
  return { order, refusal }
}

const fieldsOfRefusals = [
  ...(['email', 'phone', 'name', 'company', 'vatId', 'poNumber', 'buyerReference', 'discountCode'] as const),
  ...(['country', 'line1', 'line2', 'city', 'postalCode', 'state'] as const).flatMap(
    (field) => [`deliverTo.${field}`, `billTo.${field}`] as const,
  ),
]
