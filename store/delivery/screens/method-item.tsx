import { useRef, useState } from 'react'
import { formatCents } from '#shared/money.ts'
import { type DeliveryMethod, type DeliveryZone, removeDeliveryMethod } from '#store/delivery/contract.ts'
import { formatWeight } from '#store/delivery/delivery-options.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { DescriptionItem, DescriptionList } from '#web/description-list.tsx'
import { toast } from '#web/toast.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { MethodForm } from './method-form.tsx'

export type Category = { key: string; label: string }

type ItemProps = { method: DeliveryMethod; zone: DeliveryZone; isLast: boolean; categories: Category[]; onChanged: () => Promise<void> }

/** What the questions before the last method of the shop is removed say. */
export const FreeDeliveryWarning = () => (
  <p>
    The shop has no other method: without one delivery costs nothing, wherever an order goes. Add the one that takes its place first, if
    that is not what you want.
  </p>
)

/** What a method says, with the form to change it. */
export function MethodItem({ method, zone, isLast, categories, onChanged }: ItemProps) {
  const labelOf = (key: string) => categories.find((category) => category.key === key)?.label ?? key
  return (
    <li className="flex flex-col gap-3 py-3">
      <h4 className="font-semibold wrap-anywhere">
        {method.name}
        {method.carrier !== null && <span className="font-normal text-soft">, {method.carrier}</span>}
      </h4>
      <DescriptionList>
        <DescriptionItem name="Price">
          <Prices method={method} />
        </DescriptionItem>
        <DescriptionItem name="Arrives">{describeDays(method)}</DescriptionItem>
        <DescriptionItem name="Cut-off">{method.cutOff ?? 'None: an order of any time is handled on its day'}</DescriptionItem>
        {method.notForCategories.length > 0 && (
          <DescriptionItem name="Not for">{method.notForCategories.map(labelOf).join(', ')}</DescriptionItem>
        )}
      </DescriptionList>
      <details>
        <summary className="min-h-6 cursor-pointer font-medium">
          Change {method.name}, {zone.name}
        </summary>
        <div className="mt-3">
          <MethodForm key={JSON.stringify(method)} zone={zone} method={method} categories={categories} onSaved={onChanged} />
        </div>
      </details>
      <RemoveMethod method={method} zone={zone} isLast={isLast} onRemoved={onChanged} />
    </li>
  )
}

type RemoveProps = { method: DeliveryMethod; zone: DeliveryZone; isLast: boolean; onRemoved: () => Promise<void> }

/** The last method of the shop is removed only after a question. */
function RemoveMethod({ method, zone, isLast, onRemoved }: RemoveProps) {
  const [asksToRemove, setAsksToRemove] = useState(false)
  const button = useRef<HTMLDivElement>(null)
  const remove = () => callApi(removeDeliveryMethod, { params: { id: method._id } })
  async function showRemoved() {
    const next = button.current?.closest('ul')?.parentElement?.querySelector('summary')
    toast('Method removed', { detail: method.name })
    await onRemoved()
    next?.focus()
  }
  const { submit, busy } = useSubmit({ send: remove, onDone: showRemoved, toastDetail: () => method.name })
  return (
    <>
      <div ref={button}>
        <Button
          dense
          variant="quiet"
          busy={busy}
          busyLabel="Removing"
          aria-label={`Remove, ${method.name}, ${zone.name}`}
          onClick={() => (isLast ? setAsksToRemove(true) : submit())}
        >
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={asksToRemove}
        title={`Remove ${method.name}, the last method?`}
        confirmLabel={`Remove ${method.name}`}
        cancelLabel="Keep it"
        busyLabel="Removing"
        onConfirm={async () => {
          await remove()
          await showRemoved()
        }}
        onCancel={() => setAsksToRemove(false)}
        signedOutMessage={<SessionEndedNotice />}
        focusAfterClose={() => document.querySelector(`[aria-labelledby="zone-${zone._id}"] summary`)}
      >
        <FreeDeliveryWarning />
      </ConfirmDialog>
    </>
  )
}

function Prices({ method: { steps, pricedBy, freeFromCents } }: { method: DeliveryMethod }) {
  const measure = pricedBy === 'weight' ? formatWeight : formatCents
  const of = pricedBy === 'weight' ? '' : ' of goods'
  const isFlat = steps.length === 1 && steps[0]?.upTo === null
  return (
    <ul>
      {steps.map(({ upTo, priceCents }) => (
        <li key={upTo ?? 'more'}>
          {!isFlat && (upTo === null ? 'more: ' : `up to ${measure(upTo)}${of}: `)}
          <span className="figures">{formatCents(priceCents)}</span>
        </li>
      ))}
      {freeFromCents !== null && <li>free for goods from {formatCents(freeFromCents)}</li>}
    </ul>
  )
}

function describeDays({ daysFrom, daysTo, handlingDays }: DeliveryMethod): string {
  const days = daysFrom === daysTo ? `${daysTo}` : `${daysFrom} to ${daysTo}`
  const handling = handlingDays === 0 ? '' : `, after ${handlingDays} of handling`
  return `${days} working ${daysFrom === daysTo && daysTo === 1 ? 'day' : 'days'} after sending${handling}`
}
