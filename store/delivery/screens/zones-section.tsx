import { useState } from 'react'
import { countryName } from '#shared/countries.ts'
import { type DeliveryZone, removeDeliveryZone } from '#store/delivery/contract.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Panel } from '#web/panel.tsx'
import { toast } from '#web/toast.tsx'
import { MethodForm } from './method-form.tsx'
import { type Category, FreeDeliveryWarning, MethodItem } from './method-item.tsx'
import { ZoneForm } from './zone-form.tsx'

type SectionProps = { zones: DeliveryZone[]; categories: Category[]; onChanged: () => Promise<void> }

/** Where the shop delivers to, and by which methods. */
export function ZonesSection({ zones, categories, onChanged }: SectionProps) {
  const methodCount = zones.reduce((sum, { methods }) => sum + methods.length, 0)
  return (
    <section aria-labelledby="zones" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="zones" className="text-xl">
          Zones and methods
        </h2>
        <p className="text-soft">
          Of several zones that contain a place the most specific one holds: one with its postal code before one with its state, its country
          and everywhere. Once any zone has a method, one without is not delivered to.
        </p>
      </div>
      {zones.length > 0 && (
        <ul className="flex flex-col gap-4">
          {zones.map((zone) => (
            <Panel as="li" key={zone._id} aria-labelledby={`zone-${zone._id}`} className="flex flex-col gap-4">
              <Zone zone={zone} methodCount={methodCount} categories={categories} onChanged={onChanged} />
            </Panel>
          ))}
        </ul>
      )}
      <h3 className="text-lg">A new zone</h3>
      <ZoneForm onSaved={onChanged} />
    </section>
  )
}

function describePlaces({ countries, states, postalPrefixes }: DeliveryZone): string {
  const parts = [
    countries.length === 0 ? 'Everywhere' : countries.map(countryName).join(', '),
    states.length > 0 && `states ${states.join(', ')}`,
    postalPrefixes.length > 0 && `postal codes that begin with ${postalPrefixes.join(', ')}`,
  ]
  return parts.filter(Boolean).join('; ')
}

type ZoneProps = {
  zone: DeliveryZone
  /** of all zones */
  methodCount: number
  categories: Category[]
  onChanged: () => Promise<void>
}

function Zone({ zone, methodCount, categories, onChanged }: ZoneProps) {
  const [asksToRemove, setAsksToRemove] = useState(false)
  const { name, methods } = zone
  return (
    <>
      <div>
        <h3 id={`zone-${zone._id}`} className="text-lg">
          {name}
        </h3>
        <p className="text-soft wrap-anywhere">{describePlaces(zone)}</p>
      </div>
      {methods.length === 0 ? (
        <p>{methodCount === 0 ? 'No method yet.' : 'No method yet: what lies here is not delivered to.'}</p>
      ) : (
        <ul aria-label={`Methods of ${name}`} className="flex flex-col divide-y divide-line border-y border-line">
          {methods.map((method) => (
            <MethodItem
              key={method._id}
              method={method}
              zone={zone}
              isLast={methodCount === 1}
              categories={categories}
              onChanged={onChanged}
            />
          ))}
        </ul>
      )}
      <details>
        <summary className="min-h-6 cursor-pointer font-medium">Add a method to {name}</summary>
        <div className="mt-3">
          <MethodForm zone={zone} categories={categories} onSaved={onChanged} />
        </div>
      </details>
      <details>
        <summary className="min-h-6 cursor-pointer font-medium">Change the zone {name}</summary>
        <div className="mt-3">
          <ZoneForm key={JSON.stringify(zone)} zone={zone} onSaved={onChanged} />
        </div>
      </details>
      <div>
        <Button dense variant="quiet" className="whitespace-normal! wrap-anywhere" onClick={() => setAsksToRemove(true)}>
          Remove zone {name}
        </Button>
      </div>
      <RemoveZoneDialog
        zone={zone}
        methodCount={methodCount}
        open={asksToRemove}
        onCancel={() => setAsksToRemove(false)}
        onRemoved={onChanged}
      />
    </>
  )
}

type RemoveZoneDialogProps = Pick<ZoneProps, 'zone' | 'methodCount'> & {
  open: boolean
  onCancel: () => void
  onRemoved: () => Promise<void>
}

function RemoveZoneDialog({ zone, methodCount, open, onCancel, onRemoved }: RemoveZoneDialogProps) {
  const { name, methods } = zone
  return (
    <ConfirmDialog
      open={open}
      title={`Remove the zone ${name}?`}
      confirmLabel={`Remove ${name}`}
      cancelLabel="Keep it"
      busyLabel="Removing"
      onConfirm={async () => {
        await callApi(removeDeliveryZone, { params: { id: zone._id } })
        toast('Zone removed', { detail: name })
        await onRemoved()
      }}
      onCancel={onCancel}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => document.getElementById('zone-name-new')}
    >
      <p>
        {methods.length === 0 ? 'It has no methods.' : `Its methods go with it: ${methods.map((method) => method.name).join(', ')}.`} What
        has been ordered keeps its delivery.
      </p>
      {methods.length > 0 && methods.length === methodCount && <FreeDeliveryWarning />}
    </ConfirmDialog>
  )
}
