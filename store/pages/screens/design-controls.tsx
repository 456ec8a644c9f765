import { useState } from 'react'
import { Button, ButtonLink } from '#web/button.tsx'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Field } from '#web/field.tsx'
import { moneyFieldProps } from '#web/money.tsx'
import { toast } from '#web/toast.tsx'

/* Samples of the component gallery (design.tsx): buttons, fields, dialogs and toasts. */

export function ButtonSamples() {
  return (
    <>
      {(['action', 'offer', 'quiet', 'grave'] as const).map((look) => (
        <div key={look} className="flex flex-wrap items-center gap-3">
          <span className="w-16 text-soft">{look}</span>
          <Button variant={look}>Order 25 for $400</Button>
          <Button variant={look} busy busyLabel="Ordering">
            Order
          </Button>
          <Button variant={look} disabled>
            Not now
          </Button>
          <Button variant={look} dense>
            In a row
          </Button>
          <ButtonLink variant={look} to="#buttons">
            A link
          </ButtonLink>
        </div>
      ))}
    </>
  )
}

export function FieldSamples() {
  return (
    <div className="grid max-w-page gap-6 md:grid-cols-2 lg:grid-cols-3">
      <Field label="Name" name="full" autoComplete="off" />
      <Field label="Address" rows={3} hint="Required. Street, town, postal code and country" />
      <Field label="Phone number" type="tel" optional hint="With country code, like +1 555 010 0199" />
      <Field label="Price" {...moneyFieldProps()} defaultValue="1,250" className="figures" />
      <Field label="Quantity" error="You must have to order 10 pieces" defaultValue="2" className="figures text-right" />
      <Field label="Password" type="password" defaultValue="shown on request" />
      <Field label="E-mail" readOnly value="buyer@nucleus.example" hint="Your account's" />
      <Field label="Not now" disabled />
    </div>
  )
}

export function DialogsAndToastsSamples() {
  const [open, setOpen] = useState(false)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Ask before deleting
      </Button>
      {(['success', 'info', 'warning', 'error'] as const).map((kind) => (
        <Button key={kind} variant="quiet" onClick={() => toast(`News of the kind ${kind}`, { kind, detail: 'A second line says more' })}>
          Toast: {kind}
        </Button>
      ))}
      <ConfirmDialog
        open={open}
        title="Are you sure to Delete this product?"
        confirmLabel="Delete Pliers"
        cancelLabel="Keep it"
        busyLabel="Deleting"
        onConfirm={async () => setOpen(false)}
        onCancel={() => setOpen(false)}
      >
        Open orders keep it.
      </ConfirmDialog>
    </div>
  )
}
