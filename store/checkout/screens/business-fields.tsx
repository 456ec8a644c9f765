import { useState } from 'react'
import type { Cart } from '#store/cart/contract.ts'
import { Field } from '#web/field.tsx'
import type { CheckoutFormHandle } from './address-fields.tsx'

/** What a business says besides, folded away for all others. */
export function BusinessFields({ form, cart }: { form: CheckoutFormHandle; cart: Cart }) {
  const { register, getValues, formState } = form
  const { errors } = formState
  const [wasUsed] = useState(() => (['company', 'vatId', 'poNumber', 'buyerReference'] as const).some((name) => getValues(name) !== ''))
  const hasError = Boolean(errors.company ?? errors.vatId ?? errors.poNumber ?? errors.buyerReference ?? errors.partNumbers)
  return (
    <details open={wasUsed || hasError || undefined} className="rounded border border-line p-4">
      <summary className="min-h-6 cursor-pointer font-semibold">Order for a business</summary>
      <div className="mt-4 grid items-start gap-4 sm:grid-cols-2">
        <Field label="Company" optional autoComplete="organization" error={errors.company?.message} {...register('company')} />
        <Field
          label="VAT id"
          optional
          autoComplete="off"
          spellCheck={false}
          hint="Of a business in the EU, such as DE136695976"
          error={errors.vatId?.message}
          {...register('vatId')}
        />
        <Field
          label="Your order number"
          optional
          autoComplete="off"
          hint="PO number, for your invoice"
          error={errors.poNumber?.message}
          {...register('poNumber')}
        />
        <Field
          label="Your reference"
          optional
          autoComplete="off"
          hint="Such as a cost centre"
          error={errors.buyerReference?.message}
          {...register('buyerReference')}
        />
      </div>
      <details className="mt-4">
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
              {...register(`partNumbers.${productId}`)}
            />
          ))}
        </div>
      </details>
    </details>
  )
}
