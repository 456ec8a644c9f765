import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { CountryAddressFields } from '#store/companies/screens/country-address-fields.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type CorrectableInvoice, correctInvoice } from '#store/orders/documents/corrections/contract.ts'
import { countryOptions } from '#store/tax/screens/tax-forms.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { SelectField } from '#web/select-field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type CorrectionFormInput, correctionFieldNames, correctionFormSchema, toCorrectionForm } from './correction-form-schema.ts'

type CorrectionFormProps = {
  orderId: string
  invoice: CorrectableInvoice
  /** the invoice has changed meanwhile: it is to be asked for again */
  onStale: () => Promise<void>
  onDone: () => Promise<void>
}

export default function CorrectionForm(props: CorrectionFormProps) {
  const { invoice } = props
  const { form, submit, refusal } = useCorrectionForm(props)
  const { errors, isSubmitting } = form.formState
  const field = (name: (typeof correctionFieldNames)[number]) => ({
    error: errors[name]?.message,
    autoComplete: 'off',
    ...form.register(name),
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <p>
        {invoice.numbers.length === 1
          ? `A credit note cancels what is left of invoice ${invoice.numbers[0]}, and a new invoice says it in the right words.`
          : `Credit notes cancel the invoices ${invoice.numbers.join(', ')}, and new invoices say them in the right words.`}{' '}
        Amounts stay as they are, no money moves, and the buyer gets a mail.
      </p>
      <Field label="Name" required {...field('name')} />
      <Field label="Company" optional {...field('company')} />
      <Field label="VAT id" optional spellCheck={false} {...field('vatId')} />
      {invoice.addressText && <p className="text-sm whitespace-pre-line text-soft">{`So far: ${invoice.addressText}`}</p>}
      <InvoiceAddressFields form={form} />
      <Field label="PO number" optional {...field('poNumber')} />
      <Field label="Reference" optional {...field('buyerReference')} />
      <LineFields form={form} />
      <Field label="Why it is corrected" required hint="The buyer reads it in the mail" {...field('reason')} />
      {refusal && !correctionFieldNames.some((name) => refusal.errors[name]) && (
        <RefusalNotice
          refusal={refusal}
          outcomeUnknown="We do not know whether it was done. What you typed is kept: press again, and it will be done once, not twice."
        >
          Nothing was corrected by this press, and what you typed is kept.
        </RefusalNotice>
      )}
      <Button type="submit" busy={isSubmitting} busyLabel="Correcting" className="self-start">
        Issue credit note and new invoice
      </Button>
    </form>
  )
}

type OfForm = { form: UseFormReturn<CorrectionFormInput> }

function InvoiceAddressFields({ form }: OfForm) {
  const country = useWatch({ control: form.control, name: 'country' })
  return (
    <>
      <SelectField
        label="Country of the invoice address"
        options={[{ value: '', label: 'Choose a country' }, ...countryOptions]}
        error={form.formState.errors.country?.message}
        {...form.register('country', { onChange: () => form.clearErrors(['postalCode', 'state']) })}
      />
      <CountryAddressFields country={country} register={form.register} errors={form.formState.errors} />
    </>
  )
}

/** What each product is called, and the buyer's own number of it. */
function LineFields({ form }: OfForm) {
  const { lines: ofLines } = form.formState.errors
  return form.getValues('lines').map(({ _id }, nth) => (
    <fieldset key={_id} className="flex flex-col gap-4 border-t border-line pt-3">
      <legend className="float-left mb-1 w-full font-semibold">Product {nth + 1}</legend>
      <Field label="What it is" required autoComplete="off" error={ofLines?.[nth]?.name?.message} {...form.register(`lines.${nth}.name`)} />
      <Field
        label="The buyer's own part number"
        optional
        autoComplete="off"
        spellCheck={false}
        error={ofLines?.[nth]?.partNumber?.message}
        {...form.register(`lines.${nth}.partNumber`)}
      />
    </fieldset>
  ))
}

/** What was typed before, of the lines that the invoice has now. */
const withDraft = (form: CorrectionFormInput, draft: Partial<CorrectionFormInput>): CorrectionFormInput => ({
  ...form,
  ...draft,
  lines: form.lines.map((line) => draft.lines?.find(({ _id }) => _id === line._id) ?? line),
})

function useCorrectionForm({ orderId, invoice, onStale, onDone }: CorrectionFormProps) {
  const draft = `correct ${orderId} ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(correctionFormSchema),
    defaultValues: withDraft(toCorrectionForm(invoice), loadDraft<CorrectionFormInput>(draft)),
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: correctionFieldNames,
    send: (body) => callApi(correctInvoice, { params: { id: orderId }, body: { ...body, invoice: invoice._id } }), // which may be another by now
    async onDone({ documents }) {
      toast('The invoice is corrected', { detail: `${documents.at(-1)?.number} replaces ${invoice.numbers.at(-1)}` })
      await onDone()
    },
    async onRefused({ code }) {
      if (code === 'documents_changed') await onStale()
    },
  })
  return { form, submit, refusal }
}
