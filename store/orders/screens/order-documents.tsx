import { useEffect, useState } from 'react'
import { formatDay } from '#shared/format-day.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { listOrderDocuments, type OrderDocument } from '#store/orders/documents/contract.ts'
import { Button } from '#web/button.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Panel } from '#web/panel.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { DisplayedOrder } from './displayed-order.ts'
import { useOrderAccess } from './order-access.ts'

/** A document is issued and rendered within seconds of the payment or refund. */
const askAgainMs = 2000
const maxAsked = 15

/** The invoices and credit notes of an order that was paid, once they are there. */
export function OrderDocuments({ order }: { order: DisplayedOrder }) {
  const documents = useDocuments(order)
  if (documents.length === 0) return null
  return (
    <Panel as="section" aria-labelledby="documents" className="flex flex-col gap-3 print:hidden">
      <h2 id="documents" className="text-lg">
        {documents.some(({ kind }) => kind === 'credit note') ? 'Invoices and credit notes' : 'Invoice'}
      </h2>
      <ul className="flex flex-col gap-4">
        {documents.map((document) => (
          <li key={document._id}>
            <DocumentItem document={document} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Asks anew when the order has changed, and for a while as long as one is still to come or to be rendered. */
function useDocuments({ _id, transectionId, paymentMethod, shipments, refundedCents }: DisplayedOrder): OrderDocument[] {
  const parcelsToPay = paymentMethod === 'on_account' ? shipments.length : 0 // each has an invoice of its own
  const isInvoiced = transectionId !== null || parcelsToPay > 0
  const { call } = useOrderAccess()
  const [documents, setDocuments] = useState<OrderDocument[]>([])
  useEffect(() => {
    if (!isInvoiced) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    async function ask(asked: number) {
      const found = await call(listOrderDocuments, { params: { id: _id } }).catch(() => undefined) // the page shows the order without them
      if (isOver) return
      if (found) setDocuments(found.documents)
      const isComplete = found && found.documents.length >= Math.max(1, parcelsToPay) && found.documents.every(({ pdf }) => pdf !== null)
      if ((!isComplete || asked < creditNoteTries(refundedCents)) && asked < maxAsked) timer = setTimeout(ask, askAgainMs, asked + 1)
    }
    void ask(1)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [_id, isInvoiced, parcelsToPay, refundedCents, call])
  return documents
}

/** The credit note of a refund that was just asked for comes once the provider has accepted it. */
const creditNoteTries = (refundedCents: number) => (refundedCents > 0 ? 3 : 1)

function DocumentItem({ document }: { document: OrderDocument }) {
  const { download } = useOrderAccess()
  const { submit, busy, refusal } = useSubmit({
    send: ({ address, suffix }: { address: string; suffix: string }) =>
      download(address.replace(/^\/api/, ''), `${document.number}.${suffix}`),
  })
  const name = `${document.kind === 'invoice' ? 'Invoice' : 'Credit note'} ${document.number}`
  const files = [
    { suffix: 'pdf', label: 'PDF', address: document.pdf },
    { suffix: 'xml', label: 'XML', address: document.xml },
  ]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p>
        <span className="block font-medium">{name}</span>
        <span className="block text-sm text-soft">
          {formatDay(document.issuedOn)}, <MoneyAmount amountCents={document.totalCents} />
          {document.dueOn && `, due ${formatDay(document.dueOn)}`}
          {document.corrects && `, ${document.isReplacement ? 'replaces' : 'for'} ${document.corrects}`}
          {document.isCorrected && '. It was corrected: another one replaces it'}
        </span>
      </p>
      {document.pdf === null ? (
        <p className="text-sm text-soft">It is being made</p>
      ) : (
        <div className="flex gap-2">
          {files.map(
            ({ suffix, label, address }) =>
              address && (
                <Button
                  key={suffix}
                  dense
                  variant="quiet"
                  busy={busy}
                  busyLabel="Loading"
                  aria-label={`${label} of ${name}`}
                  onClick={() => submit({ address, suffix })}
                >
                  {label}
                </Button>
              ),
          )}
        </div>
      )}
      {refusal && <RefusalNotice refusal={refusal} />}
    </div>
  )
}
