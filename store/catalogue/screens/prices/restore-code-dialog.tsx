import { useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { type DiscountCode, restoreDiscountCode } from '#store/catalogue/pricing/contract.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { DateTime } from '#web/date-time.tsx'
import { Field } from '#web/field.tsx'
import { toast } from '#web/toast.tsx'

type RestoreCodeDialogProps = {
  code: DiscountCode
  open: boolean
  loadedAt: number
  onClose: () => void
  onRestored: () => Promise<void>
}

/** Asks whether an ended code is to be used again, and until when. */
export function RestoreCodeDialog({
  code: { _id, code, periodEndsAt, maxUses, uses },
  open,
  loadedAt,
  onClose,
  onRestored,
}: RestoreCodeDialogProps) {
  const [lastDay, setLastDay] = useState('')
  function close() {
    setLastDay('')
    onClose()
  }
  const isPeriodOver = isOver(periodEndsAt, loadedAt)
  return (
    <ConfirmDialog
      open={open}
      title={`Bring the code ${code} back?`}
      confirmLabel={`Bring ${code} back`}
      cancelLabel="Leave it ended"
      variant="action"
      busyLabel="Bringing back"
      onConfirm={async () => {
        await callApi(restoreDiscountCode, { params: { id: _id }, body: lastDay === '' ? {} : { endsOn: lastDay } })
        close()
        toast('Code brought back', { detail: code })
        await onRestored()
      }}
      onCancel={close}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => document.getElementById('new-code')}
    >
      <p>
        It takes off what it took off before, and {formatNumber(uses)}
        {maxUses === null ? '' : ` of ${formatNumber(maxUses)}`} uses stay counted.
      </p>
      <Field
        label="Last day of the code"
        type="date"
        optional={!isPeriodOver}
        required={isPeriodOver}
        hint={
          <>
            In time zone {storeTimeZone()}; {describeLastDayLeftEmpty(periodEndsAt, isPeriodOver)}
          </>
        }
        value={lastDay}
        onChange={({ target }) => setLastDay(target.value)}
      />
    </ConfirmDialog>
  )
}

function describeLastDayLeftEmpty(periodEndsAt: string | null, isPeriodOver: boolean) {
  if (isPeriodOver) return 'the last one is over'
  if (periodEndsAt === null) return 'empty: no end, as before'
  return (
    <>
      empty: until <DateTime at={lastMinuteBefore(periodEndsAt)} />, as before
    </>
  )
}

export const isOver = (end: string | null, at: number) => end !== null && Date.parse(end) <= at

/** A code ends at midnight: the last minute is on its last day. */
export const lastMinuteBefore = (end: string) => new Date(Date.parse(end) - 1)
