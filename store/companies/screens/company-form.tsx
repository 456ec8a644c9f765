import { zodResolver } from '@hookform/resolvers/zod'
import type { z } from 'zod'
import { type Company, CompanyFields } from '#store/companies/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { Button } from '#web/button.tsx'
import { Field } from '#web/field.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'

type CompanyFormProps = {
  start: Pick<Company, 'name' | 'vatId'>
  submitLabel: string
  variant: 'action' | 'quiet'
  send: (body: z.output<typeof CompanyFields>) => Promise<Company>
  onSaved: (saved: Company) => Promise<void>
}

/** Name and VAT id of a company. */
export function CompanyForm({ start, submitLabel, variant, send, onSaved }: CompanyFormProps) {
  const form = useValidatedForm({
    resolver: zodResolver(CompanyFields),
    defaultValues: { name: start.name, vatId: start.vatId ?? '' },
  })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, { fields: ['name', 'vatId'], send, onDone: onSaved })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-3xl items-start gap-4 sm:grid-cols-2">
      <Field label="Name of the company" autoComplete="organization" required error={errors.name?.message} {...form.register('name')} />
      <Field
        label="VAT id"
        optional
        autoComplete="off"
        spellCheck={false}
        hint="Of a business in the EU, such as DE136695976"
        error={errors.vatId?.message}
        {...form.register('vatId')}
      />
      <div>
        <Button type="submit" variant={variant} busy={isSubmitting} busyLabel="Saving">
          {submitLabel}
        </Button>
      </div>
      {refusal && !refusal.errors.vatId && !refusal.errors.name && (
        <div className="sm:col-span-2">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}
