import { type ComponentProps, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { TransferInstructions } from '#store/orders/bank/contract.ts'
import { type OrderHistoryEntry, type PurchaseForViewer, showPurchase, showPurchaseHistory } from '#store/orders/contract.ts'
import type { OrderDetails } from '#store/orders/details/contract.ts'
import type { OrderLine } from '#store/orders/order-contract.ts'
import { showDeclineWait } from '#store/orders/payments/contract.ts'
import { hasEnded, OrderStatusSummary } from '#store/orders/screens/order-status-summary.tsx'
import type { OrderToSend } from '#store/orders/shipments/to-send-contract.ts'
import { ApiError } from '#web/api-error.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { DateTime } from '#web/date-time.tsx'
import { DescriptionItem } from '#web/description-list.tsx'
import { Amount, MoneyAmount } from '#web/money.tsx'
import { nextFullMinute } from '#web/next-full-minute.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/order'
import { type ActionOutcome, describeOutcome, doneButNotReloaded } from './action-outcome.ts'
import { canCancelLine } from './cancelled-amounts.ts'
import { CorrectionSection } from './correction-section.tsx'
import { type DisplayedOrder, getOnlyLine, loadOrder } from './displayed-order.ts'
import { accountAccess } from './order-access.ts'
import { OrderCosts } from './order-costs.tsx'
import { loadOrderDetails, OrderDetailsItems } from './order-details-items.tsx'
import { OrderDocuments } from './order-documents.tsx'
import { OrderHistoryTable, unacknowledgedEvents } from './order-history-table.tsx'
import { OrderLines } from './order-lines.tsx'
import { PendingRefundNotice, ProblemNotice } from './order-notices.tsx'
import { OrderSummary } from './order-summary.tsx'
import { pendingRefundCents } from './pending-refunds.ts'
import { CancelForm, isOrderChangedError, type PendingConfirmation, RefundForm } from './refund-and-cancel-forms.tsx'
import { ReturnsOfOrder } from './returns/returns-of-order.tsx'
import { loadOrderToSend, SendingSection } from './sending-section.tsx'
import { loadTransfer, TransferItem } from './transfer-item.tsx'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) => loadLine(params.id).catch(rethrowAsNotFound)

/** @param id of a line, or of an order, which is shown with its first line */
async function loadLine(id: string): Promise<LineWithHistory> {
  const params = { id }
  const [whole, details, history, { of, seconds }] = await Promise.all([
    loadOrder(id),
    loadOrderDetails(id, accountAccess),
    callApi(showPurchaseHistory, { params }),
    callApi(showDeclineWait, { params }),
  ])
  const line = whole.lines.find(({ _id }) => _id === id) ?? whole.lines[0]
  if (!line) throw new Error(`Order ${whole.number} has no lines`)
  const [order, toSend, transfer] = await Promise.all([
    callApi(showPurchase, { params: { id: line._id } }),
    loadOrderToSend(whole),
    loadTransfer(whole),
  ])
  return { whole, details, line, order, toSend, transfer, history, ...(of && { declineWait: { of, until: nextFullMinute(seconds) } }) }
}

type DeclineWait = { of: keyof typeof waitReasons; until: Date }
/** `order` is the line as a purchase, which also says what only admins know of the order. */
type LineWithHistory = {
  whole: DisplayedOrder
  details: OrderDetails | null
  line: OrderLine
  order: PurchaseForViewer
  toSend: OrderToSend | undefined
  transfer: TransferInstructions | undefined
  history: OrderHistoryEntry[]
  declineWait?: DeclineWait
}

const waitReasons = {
  order: 'too many cards were declined for this order',
  buyer: 'too many cards were declined for the orders of this buyer',
  network: 'too many cards of new buyers were declined in the network that it was placed from',
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Order ${loaderData.order.number}` : 'Order'} | Nucleus of PC` },
]

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { state } = useLocation()
  const list = typeof state?.list === 'string' ? state.list : ''
  return (
    <Page title={`Order ${loaderData.order.number}`} wide>
      <ManagedOrder key={loaderData.order._id} initial={loaderData} />
      <p>
        <TextLink to={{ pathname: '/dashboard/manageallorders', search: list }}>Back to Manage All Orders</TextLink>
      </p>
    </Page>
  )
}

/** The tel: URL of a number as typed, such as "+44 (0)20 7946 0018". After a country code the "(0)" is not dialled, so it is removed. */
const phoneUrl = (typed: string): string => `tel:${typed.replace(/^(\+[^(]*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

type ActionResult = { outcome: ActionOutcome | undefined } | { refused: ApiError; of: PendingConfirmation['form'] }

/** The order as it was loaded last, and what an admin does with it: asked, confirmed, told. */
function useManagedOrder(initial: LineWithHistory) {
  const [loaded, setLoaded] = useState(initial)
  const { whole, order, transfer } = loaded
  const [pending, setPending] = useState<PendingConfirmation & { open: boolean }>()
  const [result, setResult] = useState<ActionResult>()
  const noticeRef = useRef<HTMLDivElement>(null)

  /** The reloaded order, the notice about the outcome and the closed dialog are rendered together, so the focus moves to the notice. */
  async function confirm(pending: PendingConfirmation) {
    try {
      await pending.onConfirm()
      const seen = await loadLine(order._id).catch(() => undefined)
      const outcome = seen ? describeOutcome(seen) : doneButNotReloaded
      if (seen) setLoaded(seen)
      setResult({ outcome })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Changed meanwhile. A failed reload is ignored, since the error message says so either way.
      if (isOrderChangedError(error)) await loadLine(order._id).then(setLoaded, () => {})
      setResult({ refused: error, of: pending.form })
    }
    setPending({ ...pending, open: false })
  }

  const formOf = (of: PendingConfirmation['form']) => ({
    order,
    whole,
    isPart: !getOnlyLine(whole),
    receivedCents: transfer?.receivedCents ?? 0,
    told: noticeRef,
    refused: result && 'refused' in result && result.of === of ? result.refused : undefined,
    onAsk(confirmation: PendingConfirmation) {
      setResult(undefined)
      setPending({ ...confirmation, open: true })
    },
  })

  return { loaded, setLoaded, result, pending, setPending, noticeRef, confirm, formOf }
}

/** A line of an order for an admin: summary, history, and the forms to refund and cancel it. Of several lines the whole order comes first. */
function ManagedOrder({ initial }: { initial: LineWithHistory }) {
  const { loaded, setLoaded, result, pending, setPending, noticeRef, confirm, formOf } = useManagedOrder(initial)
  const { whole, details, line, order, toSend, history } = loaded
  const isPart = !getOnlyLine(whole)
  const pendingCents = pendingRefundCents(history)
  const reload = async () => setLoaded(await loadLine(order._id))

  return (
    <>
      <SignedOutElsewhereNotice />
      {result && 'outcome' in result && result.outcome && (
        <Notice kind={result.outcome.kind} title={result.outcome.title} ref={noticeRef}>
          {result.outcome.nextStep}
        </Notice>
      )}
      <ProblemNotice
        order={order}
        entries={unacknowledgedEvents(history)}
        onAcknowledged={(history) => setLoaded((loaded) => ({ ...loaded, history }))}
      />
      {pendingCents > 0 && (
        <PendingRefundNotice cents={pendingCents} isByTransfer={whole.paymentMethod === 'bank_transfer'} onReload={reload} />
      )}
      <SendingSection order={whole} toSend={toSend} onChanged={reload} />
      <ReturnsOfOrder order={whole} />
      {isPart && <LinesOfOrder order={whole} details={details} shown={line} />}
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <LineSummary {...loaded} />
          <OrderDocuments key={history.length} order={whole} />
          <CorrectionSection order={whole} onChanged={reload} />
        </div>
        <div className="grid items-start gap-6 sm:max-lg:grid-cols-2 lg:max-w-form print:hidden">
          {(order.refundable.cents > 0 || whole.refundableDeliveryCents > 0) && (
            <Panel variant="raised">
              <RefundForm key={whole.refundable.cents} {...formOf('refund')} />
            </Panel>
          )}
          {canCancelLine(order, line) && (
            <Panel>
              <CancelForm {...formOf('cancel')} />
            </Panel>
          )}
        </div>
      </div>
      <OrderHistoryTable lines={history} />
      {pending && (
        <ConfirmActionDialog
          order={order}
          pending={pending}
          onConfirm={() => confirm(pending)}
          onCancel={() => setPending({ ...pending, open: false })}
          focusAfterClose={() => noticeRef.current ?? pending.button}
        />
      )}
    </>
  )
}

function LineSummary({ whole, details, line, order, transfer, declineWait }: LineWithHistory) {
  return (
    <OrderSummary order={whole} details={details} line={getOnlyLine(whole) ? undefined : line}>
      <OrderDetailsItems details={details} lines={whole.lines} isEnded={hasEnded(whole)} />
      {order.phone_number && (
        <DescriptionItem name="Phone">
          <TextLink to={phoneUrl(order.phone_number)} className="figures wrap-anywhere">
            {order.phone_number}
          </TextLink>
        </DescriptionItem>
      )}
      <DescriptionItem name="Status">
        <OrderStatusSummary order={order} />
      </DescriptionItem>
      {transfer && <TransferItem transfer={transfer} />}
      {order.state === 'open' && (
        <DescriptionItem name="Held until">
          <DateTime at={order.holdUntil} />
        </DescriptionItem>
      )}
      {declineWait && (
        <DescriptionItem name="Can be paid from">
          <DateTime at={declineWait.until} />: {waitReasons[declineWait.of]}
        </DescriptionItem>
      )}
      {order.transectionId && (
        <DescriptionItem name="Transaction ID">
          <span className="figures break-all">{order.transectionId}</span>
        </DescriptionItem>
      )}
      {order.restocked > 0 && (
        <DescriptionItem name="Back in stock">{order.restocked === 1 ? '1 piece' : `${order.restocked} pieces`}</DescriptionItem>
      )}
    </OrderSummary>
  )
}

type ConfirmActionDialogProps = Pick<ComponentProps<typeof ConfirmDialog>, 'onConfirm' | 'onCancel' | 'focusAfterClose'> & {
  order: PurchaseForViewer
  pending: PendingConfirmation & { open: boolean }
}

function ConfirmActionDialog({ order, pending, onConfirm, onCancel, focusAfterClose }: ConfirmActionDialogProps) {
  return (
    <ConfirmDialog
      open={pending.open}
      title={pending.title}
      confirmLabel={pending.confirmLabel}
      cancelLabel={pending.cancelLabel}
      busyLabel={pending.busyLabel}
      onConfirm={onConfirm}
      onCancel={onCancel}
      focusAfterClose={focusAfterClose}
    >
      <p className="font-semibold">
        {formatNumber(order.productQuantity)} x {order.productName} for <Amount value={order.productCost} />,{' '}
        <BreakableText>{order.buyerEmail}</BreakableText>
      </p>
      {pending.message}
    </ConfirmDialog>
  )
}

/** All lines of an order of several, each with a link to its page. */
function LinesOfOrder({ order, details, shown }: { order: DisplayedOrder; details: OrderDetails | null; shown: OrderLine }) {
  return (
    <Panel as="section" aria-labelledby="lines" className="flex max-w-read flex-col gap-3">
      <h2 id="lines" className="text-xl">
        The whole order: {order.lines.length} products, <MoneyAmount amountCents={order.totalCents} />
      </h2>
      <p>Refund and cancel below are for the line of {shown.productName} alone. Choose another line to see it.</p>
      <OrderLines
        lines={order.lines}
        name={({ _id, productName }) => (
          <>
            <TextLink to={`/dashboard/order/${_id}`} aria-current={_id === shown._id || undefined}>
              {productName}
            </TextLink>
            {_id === shown._id && <span className="font-normal text-soft"> shown below</span>}
          </>
        )}
      />
      <div className="border-t border-line pt-2">
        <OrderCosts order={order} details={details} />
      </div>
    </Panel>
  )
}
