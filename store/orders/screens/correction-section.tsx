import { lazy, Suspense, useState } from 'react'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { type CorrectableInvoice, showCorrectableInvoice } from '#store/orders/documents/corrections/contract.ts'
import { callApi } from '#web/call-api.ts'
import { useSubmit } from '#web/use-submit.ts'
import type { DisplayedOrder } from './displayed-order.ts'

const CorrectionForm = lazy(() => import('./correction-form.tsx'))

type CorrectionSectionProps = { order: DisplayedOrder; onChanged: () => Promise<void> }

/** For owners: corrects the invoice of an order that was paid. What it says is asked for once the section is opened. */
export function CorrectionSection({ order: { _id, transectionId, paidAt, paymentMethod, shipments }, onChanged }: CorrectionSectionProps) {
  const [invoice, setInvoice] = useState<CorrectableInvoice>()
  const [isOpen, setIsOpen] = useState(false)
  const { submit: load, refusal } = useSubmit({
    send: () => callApi(showCorrectableInvoice, { params: { id: _id } }),
    onDone: setInvoice,
  })
  const isInvoiced = paymentMethod === 'on_account' ? shipments.length > 0 : transectionId !== null && paidAt !== null
  if (!isInvoiced) return null
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setIsOpen(open)
        if (open && !invoice) void load()
      }}
      className="max-w-form print:hidden"
    >
      <summary className="min-h-6 cursor-pointer font-medium">Correct the invoice</summary>
      <div className="mt-3">
        {refusal && <RefusalNotice refusal={refusal} />}
        {invoice && (
          <Suspense fallback={<p className="text-soft">Loading</p>}>
            <CorrectionForm
              orderId={_id}
              invoice={invoice}
              onStale={load}
              onDone={async () => {
                setIsOpen(false)
                setInvoice(undefined)
                await onChanged()
              }}
            />
          </Suspense>
        )}
      </div>
    </details>
  )
}
