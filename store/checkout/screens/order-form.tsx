import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { countryCodes } from '#shared/countries.ts'
import { formatCents } from '#shared/money.ts'
import type { CheckoutDefaults, OtherUnpaidOrders } from '#store/checkout/contract.ts'
import { isCompleteAddress } from '#store/checkout/typed-checkout.ts'
import { loginUrlReturningTo } from '#store/identity/screens/return-url.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { useAccount } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { TextLink } from '#web/text-link.tsx'
import { WatchedAddressFields } from './address-fields.tsx'
import { BusinessFields } from './business-fields.tsx'
import { ChangedBasket, useBasketChanges } from './changed-basket.tsx'
import { type CheckoutFields, type CheckoutFormHandle, fieldsOfForm } from './checkout-fields.ts'
import { CheckoutPart } from './checkout-part.tsx'
import { CheckoutRefusal } from './checkout-refusal.tsx'
import { CompanyAddressChoice } from './company-address-choice.tsx'
import { ContactFields } from './contact-fields.tsx'
import { DeliverTo } from './deliver-to.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { DiscountCodeField } from './discount-code-field.tsx'
import { OrderedLines } from './ordered-lines.tsx'
import { chosenPaymentMethod, orderButtonText, PaymentChoice } from './payment-choice.tsx'
import { UnpaidOrderNotices } from './unpaid-order-notice.tsx'
import { type OrderFormState, type OrderToFill, useOrderForm } from './use-order-form.ts'

type OrderFormProps = OrderToFill & { countries: string[]; otherUnpaid: OtherUnpaidOrders }

/** One page: contact, address, delivery, payment, and what it costs beside them all the time. */
export function OrderForm({ countries, otherUnpaid, ...toFill }: OrderFormProps) {
  const { account, cart, defaults, lastOrder } = toFill
  const changes = useBasketChanges(cart)
  const state = useOrderForm(toFill)
  const { form, costs } = state
  const { question, estimate, isStale } = costs
  const fields = fieldsOfForm(form)

  return (
    <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <aside aria-label="Your order" className="flex flex-col gap-4 lg:sticky lg:top-4 lg:order-last">
        <UnpaidOrderNotices order={lastOrder} others={otherUnpaid} />
        <ChangedBasket changes={changes} />
        <OrderedLines cart={cart} estimate={estimate} isStale={isStale} />
      </aside>
      <form method="post" onSubmit={state.order} onFocus={state.preloadRules} noValidate className="flex min-w-0 flex-col gap-6">
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
        <Addresses {...{ form, fields, cart, countries }} opened={state.opened} company={defaults?.ofCompany ?? null} />
        <CheckoutPart title="Delivery">
          <DeliveryChoice
            estimate={estimate}
            hasCountry={question !== undefined}
            pressed={question?.deliveryMethod ?? ''}
            onChoose={(method) => form.setValue('deliveryMethod', method, { shouldDirty: true })}
          />
        </CheckoutPart>
        <Payment {...{ account, cart, changes, state }} />
      </form>
    </div>
  )
}

type AddressesProps = Pick<OrderFormProps, 'cart' | 'countries'> &
  Pick<OrderFormState, 'form' | 'opened'> & { fields: CheckoutFields; company: CheckoutDefaults['ofCompany'] }

/** Where the order goes, for whom it is bought, and where the invoice goes. */
function Addresses({ form, fields, cart, countries, opened, company }: AddressesProps) {
  const [chosenAddresses, setChosenAddresses] = useState(0)
  return (
    <CheckoutPart title="Deliver to">
      {company && <CompanyOrder {...{ form, company, countries }} onChosen={() => setChosenAddresses((count) => count + 1)} />}
      <DeliverTo
        key={chosenAddresses} // shows the chosen one as a summary
        form={form}
        countries={countries}
        startsOpen={!isCompleteAddress(chosenAddresses === 0 ? opened.deliverTo : form.getValues('deliverTo'))}
      />
      <BusinessFields fields={fields} cart={cart} opened={opened} />
      <BillingAddress form={form} company={company} />
    </CheckoutPart>
  )
}

type PaymentProps = Pick<OrderFormProps, 'account' | 'cart'> & { changes: string[]; state: OrderFormState }

/** The discount code, how it is paid, why the order or its costs were refused, and the button that orders. */
function Payment({ account, cart, changes, state: { form, code, costs, refusal } }: PaymentProps) {
  const isSignedOutElsewhere = useAccount() === null && account !== null
  const { estimate, isStale, shownTotal, refusal: estimateRefusal } = costs
  const pressed = useWatch({ control: form.control, name: 'paymentMethod' })
  return (
    <CheckoutPart title="Pay">
      <DiscountCodeField
        form={form}
        applied={code.applied}
        refusal={code.refusal}
        estimate={isStale ? undefined : estimate}
        onApply={code.apply}
      />
      <PaymentChoice
        methods={estimate?.paymentMethods}
        pressed={pressed}
        onChoose={(method) => form.setValue('paymentMethod', method, { shouldDirty: true })}
      />
      {isSignedOutElsewhere && <SignedOutElsewhereNotice />}
      {!isSignedOutElsewhere && refusal && !refusal.errors.discountCode && (
        <CheckoutRefusal refusal={refusal} totalCents={isStale ? undefined : shownTotal} {...{ cart, changes }} />
      )}
      {estimateRefusal && !estimateRefusal.errors.discountCode && !refusal && (
        <CheckoutRefusal refusal={estimateRefusal} totalCents={undefined} {...{ cart, changes }} />
      )}
      {!isSignedOutElsewhere && (
        <Button
          type="submit"
          busy={form.formState.isSubmitting}
          busyLabel="Ordering"
          disabled={Boolean(estimate?.problem)}
          className="text-lg"
        >
          {orderButtonText(
            chosenPaymentMethod(estimate?.paymentMethods, pressed),
            shownTotal === undefined ? undefined : formatCents(shownTotal),
          )}
        </Button>
      )}
    </CheckoutPart>
  )
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
