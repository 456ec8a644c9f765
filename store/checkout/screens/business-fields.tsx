import { useState } from 'react'
import type { Cart } from '#store/cart/contract.ts'
import type { CheckoutForm } from '#store/checkout/typed-checkout.ts'
import { Field } from '#web/field.tsx'
import type { CheckoutFields } from './checkout-fields.ts'

const names = ['company', 'vatId', 'poNumber', 'buyerReference'] as const

type BusinessFieldsProps = {
  fields: CheckoutFields
  cart: Cart
  /** what stands in them when they are shown first */
  opened: Pick<CheckoutForm, (typeof names)[number] | 'partNumbers'>
}

/** What a business says besides, folded away for all others. */
export function BusinessFields({ fields: { propsOf, errorOf }, cart, opened }: BusinessFieldsProps) {
  const [wasUsed] = useState(() => names.some((name) => opened[name] !== ''))
  const [hasPartNumbers] = useState(() => Object.values(opened.partNumbers).some((partNumber) => partNumber !== ''))
  const hasError = names.some((name) => errorOf(name)) || errorOf('partNumbers') !== undefined
  const [hadError, setHadError] = useState(hasError) // what is being corrected stays unfolded
  if (hasError && !hadError) setHadError(true)
  return (
    <details open={wasUsed || hasPartNumbers || hadError || undefined} className="rounded border border-line p-4">
      <summary className="min-h-6 cursor-pointer font-semibold">Order for a business</summary>
      <div className="mt-4 grid items-start gap-4 sm:grid-cols-2">
        <Field label="Company" optional autoComplete="organization" error={errorOf('company')} {...propsOf('company')} />
        <Field
          label="VAT id"
          optional
          autoComplete="off"
          spellCheck={false}
          hint="Of a business in the EU, such as DE136695976"
          error={errorOf('vatId')}
          {...propsOf('vatId')}
        />
        <Field
          label="Your order number"
          optional
          autoComplete="off"
          hint="PO number, for your invoice"
          error={errorOf('poNumber')}
          {...propsOf('poNumber')}
        />
        <Field
          label="Your reference"
          optional
          autoComplete="off"
          hint="Such as a cost centre"
          error={errorOf('buyerReference')}
          {...propsOf('buyerReference')}
        />
      </div>
      <details open={hasPartNumbers || undefined} className="mt-4">
        <summary className="min-h-6 cursor-pointer font-medium">Your own part numbers</summary>
        <div className="mt-3 grid gap-4 sm:grid-cols-2">
          {cart.lines.map(({ productId, productName }) => (
            <Field
              key={productId}
              label={productName}
              maxLength={50}
              autoComplete="off"
              spellCheck={false}
              className="figures"
              {...propsOf(`partNumbers.${productId}`)}
            />
          ))}
        </div>
      </details>
    </details>
  )
}
