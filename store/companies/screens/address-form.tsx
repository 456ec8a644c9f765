import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentProps } from 'react'
import { useWatch } from 'react-hook-form'
import { addCompanyAddress, type CompanyAddress, changeCompanyAddress } from '#store/companies/address-contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { countryOptions } from '#store/tax/screens/tax-forms.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { addressFormSchema, toAddressForm } from './address-form-schema.ts'
import { CountryAddressFields } from './country-address-fields.tsx'

type AddressFormProps = {
  /** undefined: a new one */
  address: CompanyAddress | undefined
  onSaved: () => Promise<void>
  onCancel: () => void
}

const fieldNames = ['label', 'forDelivery', 'country', 'line1', 'line2', 'city', 'postalCode', 'state'] as const

/** Adds an address of the company, or changes the given one, with the fields of its country. */
export function AddressForm({ address, onSaved, onCancel }: AddressFormProps) {
  const form = useValidatedForm({ resolver: zodResolver(addressFormSchema), defaultValues: toAddressForm(address) })
  const { errors, isSubmitting } = form.formState
  const country = useWatch({ control: form.control, name: 'country' })
  const { submit, refusal } = useFormSubmit(form, {
    fields: fieldNames,
    send: (body) => (address ? callApi(changeCompanyAddress, { params: { id: address._id }, body }) : callApi(addCompanyAddress, { body })),
    async onDone({ label }) {
      toast(address ? 'Address saved' : 'Address added', { detail: label })
      await onSaved()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-form flex-col gap-4">
      <Field
        label="Name of the address"
        hint="Such as Warehouse or Accounts"
        autoComplete="off"
        required
        error={errors.label?.message}
        {...form.register('label')}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Used for</legend>
        <UseCheckbox label="Deliveries" {...form.register('forDelivery')} />
        <UseCheckbox label="Invoices" {...form.register('forInvoice')} />
        {errors.forDelivery && <p className="text-sm font-medium text-bad">{errors.forDelivery.message}</p>}
      </fieldset>
      <SelectField
        label="Country"
        options={[{ value: '', label: 'Choose a country' }, ...countryOptions]}
        error={errors.country?.message}
        {...form.register('country', { onChange: () => form.clearErrors(['postalCode', 'state']) })}
      />
      <CountryAddressFields country={country} register={form.register} errors={errors} />
      {refusal && !fieldNames.some((name) => refusal.errors[name]) && <RefusalNotice refusal={refusal} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isSubmitting} busyLabel="Saving">
          {address ? 'Save address' : 'Add address'}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function UseCheckbox({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input type="checkbox" className="size-5 accent-leaf" {...input} />
      {label}
    </label>
  )
}
