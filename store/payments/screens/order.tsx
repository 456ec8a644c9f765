import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'
import {
  type HistoryLine,
  noteLookedAt,
  type Order,
  type OrderEvent,
  type ShownOrder,
  showHistory,
  showOrder,
} from '#store/orders/contract.ts'
import { OrderStatus } from '#store/orders/screens/order-status.tsx'
import { Button } from '#web/button.tsx'
import { Fact } from '#web/facts.tsx'
import { focused } from '#web/focused.ts'
import { LongWord } from '#web/long-word.tsx'
import { Amount, Dollars } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { Question } from '#web/question.tsx'
import { Refusal } from '#web/refusal.ts'
import { orNotFound, send } from '#web/send.ts'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { When } from '#web/when.tsx'
import type { Route } from './+types/order'
import { type Act, CancelForm, RefundForm } from './give-back.tsx'
import { eventWords, History, toBeLookedAt } from './history.tsx'
import { centsUnderWay } from './money-under-way.ts'
import { OrderSummary } from './order-summary.tsx'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) => look(params.id).catch(orNotFound)

async function look(id: string): Promise<Seen> {
  const [order, history] = await Promise.all([send(showOrder, { params: { id } }), send(showHistory, { params: { id } })])
  return { order, history }
}

type Seen = { order: ShownOrder; history: HistoryLine[] }

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Order ${loaderData.order.number}` : 'Order'} | Nucleus of PC` },
]

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { state } = useLocation()
  const list = typeof state?.list === 'string' ? state.list : ''
  return (
    <Page title={`Order ${loaderData.order.number}`} wide>
      <OneOrder key={loaderData.order._id} opened={loaderData} />
      <p>
        <TextLink to={{ pathname: '/dashboard/manageallorders', search: list }}>Back to Manage All Orders</TextLink>
      </p>
    </Page>
  )
}

/** The address that calls a number as typed, such as "+44 (0)20 7946 0018": a zero in brackets is not dialled after a country code. */
const callTo = (typed: string): string => `tel:${typed.replace(/^(\+[^(]*)\(0\)/, '$1').replace(/[^+\d]/g, '')}`

type News = { outcome: Outcome | undefined } | { refused: Refusal; of: Act['of'] }

/** An order for its owner: what it is, what happened to it, and what can be done about it. */
function OneOrder({ opened }: { opened: Seen }) {
  const [{ order, history }, show] = useState(opened)
  const [asked, ask] = useState<Act & { open: boolean }>()
  const [news, setNews] = useState<News>()
  const told = useRef<HTMLDivElement>(null)
  const underWay = centsUnderWay(history)

  /** What is new is shown at once with the word about it, and the dialog gone: the focus then goes to that word. */
  async function act(asked: Act) {
    try {
      await asked.onAct()
      const seen = await look(order._id)
      const outcome = outcomeOf(seen)
      show(seen)
      setNews({ outcome })
      if (outcome) toast(outcome.title, { kind: outcome.kind })
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      if (refusal.status === 409) await look(order._id).then(show, () => {}) // others were faster: the words say so either way
      setNews({ refused: refusal, of: asked.of })
      toast(refusal.message, { kind: 'error' })
    }
    ask({ ...asked, open: false })
  }

  const formOf = (of: Act['of']) => ({
    order,
    told,
    refused: news && 'refused' in news && news.of === of ? news.refused : undefined,
    onAsk(act: Act) {
      setNews(undefined)
      ask({ ...act, open: true })
    },
  })

  return (
    <>
      {news && 'outcome' in news && news.outcome && (
        <Notice kind={news.outcome.kind} title={news.outcome.title} ref={told}>
          {news.outcome.next}
        </Notice>
      )}
      <Trouble order={order} lines={toBeLookedAt(history)} onLookedAt={(history) => show({ order, history })} />
      {underWay > 0 && <UnderWay cents={underWay} onLook={async () => show(await look(order._id))} />}
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <OrderSummary order={order}>
          {order.phone_number && (
            <Fact name="Phone">
              <TextLink to={callTo(order.phone_number)} className="figures wrap-anywhere">
                {order.phone_number}
              </TextLink>
            </Fact>
          )}
          <Fact name="Status">
            <OrderStatus order={order} />
          </Fact>
          {order.state === 'open' && (
            <Fact name="Held until">
              <When at={order.holdUntil} />
            </Fact>
          )}
          {order.transectionId && (
            <Fact name="Transaction ID">
              <span className="figures break-all">{order.transectionId}</span>
            </Fact>
          )}
          {order.restocked > 0 && <Fact name="Back in stock">{order.restocked === 1 ? '1 piece' : `${order.restocked} pieces`}</Fact>}
        </OrderSummary>
        <div className="grid items-start gap-6 sm:max-lg:grid-cols-2 lg:max-w-form print:hidden">
          {order.refundable.cents > 0 && (
            <Panel look="raised">
              <RefundForm key={order.refundable.cents} {...formOf('refund')} />
            </Panel>
          )}
          {(order.state === 'open' || order.refundable.cents > 0) && (
            <Panel>
              <CancelForm {...formOf('cancel')} />
            </Panel>
          )}
        </div>
      </div>
      <History lines={history} />
      {asked && (
        <Question
          open={asked.open}
          title={asked.title}
          act={asked.act}
          keep={asked.keep}
          busyWords={asked.busyWords}
          onAct={() => act(asked)}
          onKeep={() => ask({ ...asked, open: false })}
          focusAfter={() => told.current ?? asked.button}
        >
          <p className="font-semibold">
            {inFigures(order.productQuantity)} x {order.productName} for <Dollars amount={order.productCost} />,{' '}
            <LongWord>{order.buyerEmail}</LongWord>
          </p>
          {asked.words}
        </Question>
      )}
    </>
  )
}

type TroubleProps = { order: Order; lines: HistoryLine[]; onLookedAt: (history: HistoryLine[]) => void }

/** Gone as soon as the button is pressed, and back with the store's words if it refuses: nothing but this note hangs on it. */
function Trouble({ order, lines, onLookedAt }: TroubleProps) {
  const [noted, setNoted] = useState(false)
  const [refused, setRefused] = useState<Refusal>()
  if (lines.length === 0 || noted) return null

  async function note() {
    setNoted(true)
    setRefused(undefined)
    focused(document.querySelector('h1')) // the button that had it is gone
    await send(noteLookedAt, { params: { id: order._id } }).then(
      (history) => {
        onLookedAt(history)
        toast(`Order ${order.number}: looked at`)
      },
      (refusal) => {
        if (!(refusal instanceof Refusal)) throw refusal
        setRefused(refusal)
        toast(refusal.message, { kind: 'error' })
      },
    )
    setNoted(false)
  }

  return (
    <Notice
      kind="warning"
      title="Look at this order: something went wrong"
      action={
        <>
          <Button look="quiet" onClick={note}>
            I have looked at it
          </Button>
          <p className="mt-2 text-sm">{refused?.message ?? 'It then asks for attention no more, unless something new goes wrong.'}</p>
        </>
      }
    >
      <ul className="list-disc ps-5">
        {lines.map(({ event, at, note, amountCents }) => (
          <li key={`${at} ${event} ${note}`}>
            {eventWords(event)}
            {amountCents !== null && (
              <>
                {' '}
                (<Amount amountCents={amountCents} />)
              </>
            )}
            , <When at={at} />
            {note && `: ${note}`}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function UnderWay({ cents, onLook }: { cents: number; onLook: () => Promise<void> }) {
  const [looking, setLooking] = useState(false)
  const [refused, setRefused] = useState<Refusal>()
  async function lookAgain() {
    setLooking(true)
    setRefused(undefined)
    await onLook().catch(setRefused)
    setLooking(false)
  }
  return (
    <Notice
      kind="info"
      title={`${inDollars(cents)} is on its way back`}
      action={
        <Button look="quiet" onClick={lookAgain} busy={looking} busyWords="Looking again">
          Look again
        </Button>
      }
    >
      {refused?.message ??
        'The card provider has not answered yet. The store asks it again by itself until it does: nothing needs to be done here.'}
    </Notice>
  )
}

const tellOfMoney: ReadonlySet<OrderEvent> = new Set(['refund asked', 'partly refunded', 'refunded', 'refund failed', 'cancelled'])

type Outcome = { kind: 'info' | 'success' | 'error'; title: string; next: string }

/** What came of the last press, as the history tells it; undefined where it tells nothing of money. */
function outcomeOf({ order, history }: Seen): Outcome | undefined {
  const last = history.findLast(({ event }) => tellOfMoney.has(event))
  if (!last) return undefined
  const amount = inDollars(last.amountCents ?? 0)
  const mail = `A mail tells ${order.buyerEmail}.`
  switch (last.event) {
    case 'refund asked':
      return { kind: 'info', title: `The refund of ${amount} is written down`, next: 'It goes back as soon as the card provider answers.' }
    case 'refund failed':
      return {
        kind: 'error',
        title: `The card provider refused the refund of ${amount}`,
        next: `${last.note ? `It says: ${last.note}. ` : ''}Nothing went back, and the order is as it was.`,
      }
    case 'cancelled': {
      const money = last.amountCents ? `${amount} goes back to the buyer's card.` : 'Nothing was charged.'
      return { kind: 'success', title: `Order ${order.number} is cancelled`, next: `${money} ${mail}` }
    }
    default:
      return { kind: 'success', title: `${amount} of order ${order.number} refunded`, next: mail }
  }
}
