import { zodResolver } from '@hookform/resolvers/zod'
import { useRevalidator } from 'react-router'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { changePaymentSettings, type PaymentSettings } from '#store/orders/payment-methods/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type PaymentSettingsFormInput, paymentSettingsFormSchema, toPaymentSettingsForm } from './payment-settings-form-schema.ts'

const fieldNames = ['card', 'bankTransfer', 'onAccount', 'holder', 'iban', 'bic', 'bankName', 'holdDays'] as const

/** Which methods are on, and the account that buyers transfer to. */
export function PaymentSettingsSection({ settings }: { settings: PaymentSettings }) {
  const { form, submit, refusal } = usePaymentSettingsForm(settings)
  const { errors, isSubmitting } = form.formState
  const field = (name: 'holder' | 'iban' | 'bic' | 'bankName' | 'holdDays') => ({
    error: errors[name]?.message,
    autoComplete: 'off',
    spellCheck: false,
    ...form.register(name),
  })
  return (
    <section aria-labelledby="payment-methods" className="flex flex-col gap-4">
      <h2 id="payment-methods" className="text-xl">
        How buyers pay
      </h2>
      <form onSubmit={submit} noValidate className="flex max-w-form flex-col gap-4">
        <fieldset className="flex flex-col gap-2" aria-describedby={errors.card ? 'no-method' : undefined}>
          <legend className="mb-1 font-medium">Methods at the checkout</legend>
          <Checkbox label="Card" {...form.register('card')} />
          <Checkbox label="Bank transfer: the order is held until the money is here" {...form.register('bankTransfer')} />
          <Checkbox label="On account, for companies that you approve" {...form.register('onAccount')} />
          {errors.card && (
            <p id="no-method" className="text-sm font-medium text-bad">
              {errors.card.message}
            </p>
          )}
        </fieldset>
        <Field label="Account holder" {...field('holder')} />
        <Field label="IBAN" className="figures" hint="Of the account that buyers transfer to" {...field('iban')} />
        <Field label="BIC" className="figures" optional {...field('bic')} />
        <Field label="Name of the bank" optional {...field('bankName')} />
        <Field
          label="Days that an order is held for a transfer"
          inputMode="numeric"
          hint="1 to 30. Where the buyer's e-mail is not verified yet, an order is held like one that is paid by card until it is"
          {...field('holdDays')}
        />
        {refusal && !fieldNames.some((name) => refusal.errors[name]) && <RefusalNotice refusal={refusal} />}
        <div>
          <Button type="submit" busy={isSubmitting} busyLabel="Saving">
            Save how buyers pay
          </Button>
        </div>
      </form>
    </section>
  )
}

function Checkbox({ label, ...input }: { label: string; name: string }) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input type="checkbox" className="size-5 shrink-0 accent-leaf" {...input} />
      {label}
    </label>
  )
}

function usePaymentSettingsForm(settings: PaymentSettings) {
  const { revalidate } = useRevalidator()
  const draft = `payment settings ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(paymentSettingsFormSchema),
    defaultValues: { ...toPaymentSettingsForm(settings), ...loadDraft<PaymentSettingsFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: fieldNames,
    send: (body) => callApi(changePaymentSettings, { body }),
    async onDone(saved) {
      toast('Saved', { detail: 'Orders from now on are paid by these methods' })
      form.reset(toPaymentSettingsForm(saved))
      await revalidate()
    },
  })
  return { form, submit, refusal }
}
