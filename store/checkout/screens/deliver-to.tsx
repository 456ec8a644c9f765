import { useState } from 'react'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { WatchedAddressFields } from './address-fields.tsx'
import type { CheckoutFormHandle } from './checkout-fields.ts'

type DeliverToProps = {
  form: CheckoutFormHandle
  countries: string[]
  /** false: name and address are known, and are shown as they are written */
  startsOpen: boolean
}

/** Who receives the order, and where: as a summary where it is known from the last order. */
export function DeliverTo({ form, countries, startsOpen }: DeliverToProps) {
  const [isOpen, setIsOpen] = useState(startsOpen)
  const { register, getValues, formState } = form
  const { errors } = formState
  if (!isOpen && !errors.deliverTo && !errors.name) {
    const { name, deliverTo } = getValues()
    return (
      <div className="flex flex-wrap items-start justify-between gap-4">
        <address className="whitespace-pre-line not-italic">{formatPostalAddress(deliverTo, { name }).join('\n')}</address>
        <Button variant="quiet" onClick={() => setIsOpen(true)} aria-label="Change the delivery address">
          Change
        </Button>
      </div>
    )
  }
  return (
    <>
      <Field label="Full name" autoComplete="shipping name" required error={errors.name?.message} {...register('name')} />
      <WatchedAddressFields form={form} of="deliverTo" countries={countries} />
    </>
  )
}
