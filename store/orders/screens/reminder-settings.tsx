import { zodResolver } from '@hookform/resolvers/zod'
import { useRevalidator } from 'react-router'
import * as z from 'zod'
import { numberInputSchema } from '#shared/whole-number.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { changeReminders } from '#store/orders/on-account/contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'

const { daysAfterDue } = changeReminders.schema.body.shape
const schema = z.object({
  daysAfterDue: z.union([z.literal('').transform(() => null), numberInputSchema(daysAfterDue.unwrap(), 'Enter a number of days')]),
})

/** After how many days companies are reminded by themselves. @param days null: by hand alone */
export function ReminderSettings({ days }: { days: number | null }) {
  const { revalidate } = useRevalidator()
  const draft = `reminders ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({ resolver: zodResolver(schema), defaultValues: { daysAfterDue: days === null ? '' : `${days}` } })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['daysAfterDue'],
    send: (body) => callApi(changeReminders, { body }),
    async onDone(saved) {
      toast('Saved', { detail: saved.daysAfterDue === null ? 'Reminders are sent by hand alone' : 'Reminders are sent by themselves' })
      await revalidate()
    },
  })
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={submit} noValidate className="flex max-w-form flex-col gap-4">
      <h2 className="text-xl">Reminders</h2>
      <Field
        label="Days after an invoice was due"
        optional
        inputMode="numeric"
        autoComplete="off"
        hint="Then its company gets a reminder by mail, and another one every 7 days. Empty: you send them by hand"
        error={errors.daysAfterDue?.message}
        {...form.register('daysAfterDue')}
      />
      {refusal && !refusal.errors.daysAfterDue && <RefusalNotice refusal={refusal} />}
      <div>
        <Button type="submit" variant="quiet" busy={isSubmitting} busyLabel="Saving">
          Save reminders
        </Button>
      </div>
    </form>
  )
}
