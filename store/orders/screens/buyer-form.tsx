import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigationType, useRevalidator } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, centsToAmount, formatCents } from '#shared/money.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { CheaperQuantity } from '#store/catalogue/screens/cheaper-quantity.tsx'
import { costOf, type QuantityTerms, settleQuantity } from '#store/catalogue/settle-quantity.ts'
import { minPhoneCharacters } from '#store/constants.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { type Purchase, placePurchase } from '#store/orders/contract.ts'
import { useAccount, useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { Amount, GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { forgetIdempotencyKey, idempotencyKeyFor } from './idempotency-key.ts'
import { isStaleProductError, OrderErrorNotice } from './order-error-notice.tsx'
import { ChangesSincePreviousOrder, type PreviousOrder } from './previous-order.tsx'
import { type PurchaseForm, type PurchaseFormInput, purchaseFormInputSchema } from './purchase-form.ts'
import { QuantityField, type QuantityState, useQuantity } from './quantity-field.tsx'

/** What a discount code has taken off an order. */
export type UsedCode = { code: string; reductionCents: number }

type BuyerFormProps = {
  /** with the price of the buyer */
  product: ProductDetails
  /** as everybody sees it */
  listed: QuantityTerms
  initialQuantity: number
  /** the order to repeat */
  previousOrder: PreviousOrder | undefined
  onPlaced: (order: Purchase, usedCode: UsedCode | undefined) => void
  /** price or stock changed while the form was open, and nothing was ordered */
  onStale: () => void
}

/** The form that orders a product: who it goes to, how many, and what they cost. */
export function BuyerForm(props: BuyerFormProps) {
  const { product, previousOrder } = props
  const account = useAccountAtOpening()
  const isHydrated = useHydrated()
  const draft = `purchase ${product._id} ${account?.email}` // per account, so that the next user of this tab does not get this draft
  const { form, kept } = usePurchaseForm(draft, props)
  const quantityState = useQuantity(product, form)
  const { cheaper } = quantityState.settledQuantity
  const hasCode = useWatch({ control: form.control, name: 'discountCode' }).trim() !== ''
  const signedIn = useAccount() !== null
  const { submit, refusal, refusedCents } = usePlacing(form, draft, props)
  const mayOrder = signedIn && refusal?.code !== 'not_signed_in' // otherwise the notice has a button to sign in

  /** Orders what is available now: at most the current stock, at the current price. */
  function orderInstead(quantity: number) {
    form.setValue('quantity', String(quantity))
    return submit()
  }

  return (
    <Panel variant="raised" className="sm:p-6">
      <form method="post" onSubmit={submit} noValidate={isHydrated} className="flex flex-col gap-4">
        <h2 className="text-xl">Who orders, and where it goes</h2>
        {previousOrder && <ChangesSincePreviousOrder product={product} previousOrder={previousOrder} />}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name" value={account?.name ?? ''} readOnly hint="Name and e-mail are your account's" />
          <Field label="E-mail" value={account?.email ?? ''} readOnly />
        </div>
        <AddressAndPhoneFields form={form} />
        <QuantityField product={product} form={form} quantityState={quantityState} />
        {cheaper && <CheaperQuantity cheaper={cheaper} onTake={() => form.setValue('quantity', `${cheaper.quantity}`)} />}
        <DiscountCode form={form} isKept={Boolean(kept.discountCode)} />
        <SignedOutElsewhereNotice />
        {signedIn && refusal && (
          <OrderErrorNotice
            error={refusal}
            costCents={refusedCents}
            product={product}
            quantityState={quantityState}
            onOrderInstead={orderInstead}
          />
        )}
        <TotalCost quantityState={quantityState} product={product} />
        {mayOrder && <OrderButton {...{ form, product, quantityState, hasCode }} />}
        <p className="text-sm text-soft">Nothing is charged yet: you pay by card on the next page.</p>
      </form>
    </Panel>
  )
}

/** The form with what was typed before, else with the address and the quantity of the order to repeat. */
function usePurchaseForm(draft: string, { product, initialQuantity, previousOrder }: BuyerFormProps) {
  const cameByLink = useNavigationType() === 'PUSH'
  const kept = loadDraft<PurchaseFormInput>(draft)
  const form = useValidatedForm({
    resolver: zodResolver(purchaseFormInputSchema(product)),
    defaultValues: {
      address: previousOrder?.buyerAddress ?? '',
      phone_number: '',
      discountCode: '',
      ...kept,
      // After following a link its quantity is newer than the draft's. After a reload or a sign-in the draft's is newer.
      quantity:
        (!(initialQuantity && cameByLink) && kept.quantity) ||
        String((previousOrder && settleQuantity(product, initialQuantity).quantity) || initialQuantity || product.minimum_order_quantity),
    },
  })
  return { form, kept }
}

/** Places the order at the cost that the form shows. `refusedCents`: what the last order that was refused would have cost. */
function usePlacing(form: PurchaseForm, draft: string, { product, listed, onPlaced, onStale }: BuyerFormProps) {
  const { revalidate } = useRevalidator()
  const [refusedCents, setRefusedCents] = useState(0)
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['phone_number', 'discountCode'],
    send({ address, phone_number, quantity, discountCode }) {
      // Beside a code the public cost is expected: the code comes off what the buyer pays, which may be less.
      const cost = centsToAmount(costOf(discountCode ? listed : product, quantity))
      return callApi(placePurchase, {
        idempotencyKey: idempotencyKeyFor(draft, { address, phone_number, quantity, cost, discountCode }),
        body: {
          toolId: product._id,
          productName: product.name,
          productQuantity: quantity,
          productCost: cost,
          buyerAddress: address,
          phone_number,
          discountCode,
        },
      })
    },
    async onDone(order, { quantity, discountCode }) {
      forgetIdempotencyKey(draft)
      const reductionCents = costOf(product, quantity) - amountToCents(order.productCost)
      onPlaced(order, discountCode && reductionCents > 0 ? { code: discountCode, reductionCents } : undefined)
      await revalidate() // shows the new stock
    },
    async onRefused(error, { quantity }) {
      setRefusedCents(costOf(product, quantity))
      if (error.errors.buyerAddress) form.setError('address', { message: error.errors.buyerAddress })
      if (isStaleProductError(error) || error.errors.productQuantity) {
        onStale()
        await revalidate() // price or stock has changed: the form validates with the new values
      }
    },
  })
  return { submit, refusal, refusedCents }
}

function AddressAndPhoneFields({ form: { register, formState } }: { form: PurchaseForm }) {
  return (
    <>
      <Field
        label="Address"
        rows={3}
        className="field-sizing-content min-h-24"
        autoComplete="street-address"
        required
        hint="Required. Street, town, postal code and country"
        error={formState.errors.address?.message}
        {...register('address')}
      />
      <Field
        label="Phone number"
        type="tel"
        autoComplete="tel"
        required
        hint={`Required. At least ${minPhoneCharacters} characters, best with country code, like +1 555 010 0199. Only for delivery questions`}
        error={formState.errors.phone_number?.message}
        {...register('phone_number')}
      />
    </>
  )
}

/** @param isKept one was typed before */
function DiscountCode({ form: { register, formState }, isKept }: { form: PurchaseForm; isKept: boolean }) {
  return (
    <details open={Boolean(isKept || formState.errors.discountCode) || undefined}>
      <summary className="min-h-11 cursor-pointer py-2 font-medium">Have a code?</summary>
      <Field
        label="Discount code"
        optional
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="What it takes off is said when you have ordered, before you pay"
        error={formState.errors.discountCode?.message}
        {...register('discountCode')}
      />
    </details>
  )
}

type OrderButtonProps = { form: PurchaseForm; product: ProductDetails; quantityState: QuantityState; hasCode: boolean }

/** Says what the order costs; with a code that is known once it is placed. */
function OrderButton({ form, product, quantityState: { quantity, error, visibleError }, hasCode }: OrderButtonProps) {
  return (
    <Button
      type="submit"
      disabled={error !== undefined}
      busy={form.formState.isSubmitting}
      busyLabel="Ordering"
      aria-describedby={visibleError && 'why-not'}
      className="text-lg"
    >
      {error ? 'Order' : `Order ${formatNumber(quantity)} ${hasCode ? 'with the code' : `for ${formatCents(costOf(product, quantity))}`}`}
    </Button>
  )
}

/** The visible cost changes on every keystroke. Screen readers announce it after a pause, or the field's error instead. */
function TotalCost({
  quantityState: { quantity, settledQuantity, isSettled, visibleError },
  product,
}: {
  quantityState: QuantityState
  product: QuantityTerms
}) {
  const cost = Number.isNaN(quantity) ? (
    <>
      <Amount value={product.price} /> each
    </>
  ) : (
    <>
      <GroupedDigits number={quantity} /> x <MoneyAmount amountCents={settledQuantity.unitPriceCents} /> ={' '}
      <MoneyAmount amountCents={settledQuantity.totalCents} className="font-semibold" />
    </>
  )
  return (
    <div className="text-lg">
      {!visibleError && <p aria-hidden="true">{cost}</p>}
      <p id="why-not" role="status" className="sr-only">
        {visibleError ?? (isSettled && cost)}
      </p>
    </div>
  )
}
