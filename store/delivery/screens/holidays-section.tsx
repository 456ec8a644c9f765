import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { Holiday, removeHoliday, setHoliday } from '#store/delivery/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'

type SectionProps = { holidays: Holiday[]; onChanged: () => Promise<void> }

const noHoliday: Holiday = { day: '', name: '' }

/** Days on which the shop sends nothing and nothing arrives. */
export function HolidaysSection({ holidays, onChanged }: SectionProps) {
  const draft = `holiday ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({ resolver: zodResolver(Holiday), defaultValues: { ...noHoliday, ...loadDraft<Holiday>(draft) } })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['day', 'name'],
    send: (body) => callApi(setHoliday, { body }),
    async onDone({ day, name }) {
      toast('Holiday set', { detail: `${formatDay(day)}: ${name}` })
      form.reset(noHoliday)
      await onChanged()
    },
  })
  return (
    <section aria-labelledby="holidays" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="holidays" className="text-xl">
          Holidays
        </h2>
        <p className="text-soft">On these days, and on Saturdays and Sundays, nothing is sent and nothing arrives.</p>
      </div>
      <form onSubmit={submit} noValidate className="grid max-w-form items-start gap-4 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
        <Field label="Day" id="holiday-day" type="date" required error={errors.day?.message} {...form.register('day')} />
        <Field label="Name of the holiday" autoComplete="off" required error={errors.name?.message} {...form.register('name')} />
        <Button type="submit" busy={isSubmitting} busyLabel="Setting" className="sm:mt-7">
          Set holiday
        </Button>
        {refusal && (
          <div className="sm:col-span-3">
            <RefusalNotice refusal={refusal} />
          </div>
        )}
      </form>
      {holidays.length > 0 && (
        <ul aria-label="Holidays" className="flex max-w-form flex-col divide-y divide-line border-y border-line">
          {holidays.map((holiday) => (
            <HolidayItem key={holiday.day} holiday={holiday} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </section>
  )
}

function HolidayItem({ holiday: { day, name }, onChanged }: { holiday: Holiday; onChanged: () => Promise<void> }) {
  const item = useRef<HTMLLIElement>(null)
  const { submit, busy } = useSubmit({
    send: () => callApi(removeHoliday, { params: { day } }),
    async onDone() {
      const neighbour = item.current?.nextElementSibling ?? item.current?.previousElementSibling
      const next = neighbour?.querySelector('button') ?? document.getElementById('holiday-day')
      toast('Holiday removed', { detail: name })
      await onChanged()
      next?.focus()
    },
    toastDetail: () => name,
  })
  return (
    <li ref={item} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="min-w-0 wrap-anywhere">
        {formatDay(day)}: {name}
      </span>
      <Button
        dense
        variant="quiet"
        busy={busy}
        busyLabel="Removing"
        aria-label={`Remove, ${name}, ${formatDay(day)}`}
        onClick={() => submit()}
      >
        Remove
      </Button>
    </li>
  )
}
