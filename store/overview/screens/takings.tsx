import { type ComponentType, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'
import { type Takings as Answer, type Period, showTakings } from '#store/overview/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { Empty } from '#web/empty.tsx'
import { Amount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Cell, Row } from '#web/row.tsx'
import { send } from '#web/send.ts'
import { Blank } from '#web/skeleton.tsx'
import { Table } from '#web/table.tsx'
import { ordersWithin } from './lists.ts'
import { Part } from './part.tsx'
import type { ChartProps } from './takings-chart.tsx'
import { useAnswer } from './use-answer.ts'
import { comparedWords, dayWords, periodWords, stepWords } from './words.ts'

const usual: Period = '30d'
const isPeriod = (said: string | null): said is Period => said !== null && Object.hasOwn(periodWords, said)
const choices = Object.keys(periodWords).filter(isPeriod)

const ask = async (about: string) => {
  const period = isPeriod(about) ? about : usual
  return { period, ...(await send(showTakings, { querystring: { period } })) }
}

/** What came in: figures beside those of the time before, a chart, and the table behind it. The period stands in the address. */
export function Takings() {
  const said = useSearchParams()[0].get('period')
  const period = isPeriod(said) ? said : usual
  const asked = useAnswer(ask, period)
  return (
    <Part
      title="Takings and orders"
      what="Takings"
      asked={asked}
      skeleton={<Skeleton />}
      aside={
        <nav aria-label="Period" className="flex flex-wrap gap-2">
          {choices.map((choice) => (
            <ButtonLink
              key={choice}
              look="quiet"
              dense
              to={{ search: choice === usual ? '' : `?${new URLSearchParams({ period: choice })}` }}
              preventScrollReset
              defaultShouldRevalidate={false}
              prefetch="none"
              aria-current={choice === period || undefined}
            >
              {periodWords[choice]}
            </ButtonLink>
          ))}
        </nav>
      }
    >
      {(told) => (told.everOrdered ? <Figures told={told} period={told.period} /> : <NoOrders />)}
    </Part>
  )
}

function Figures({ told, period }: { told: Answer; period: Period }) {
  const { total, before } = told
  return (
    <>
      <p className="-mt-2 text-sm text-soft">
        {dayWords(told.from)} to {dayWords(told.to)}, days in UTC. Today counts so far, and is compared with as much of a day.
      </p>
      <ul className={figures}>
        <Figure
          name="Takings"
          value={inDollars(total.takenCents)}
          compared={comparedWords(total.takenCents, before.takenCents, period, inDollars, 'less')}
          to={total.paid > 0 ? ordersWithin('paid', told) : undefined}
        />
        <Figure
          name="Orders paid"
          value={inFigures(total.paid)}
          compared={comparedWords(total.paid, before.paid, period, inFigures, 'fewer')}
          to={total.paid > 0 ? ordersWithin('paid', told) : undefined}
        />
        <Figure
          name="Orders placed"
          value={inFigures(total.placed)}
          compared={comparedWords(total.placed, before.placed, period, inFigures, 'fewer')}
          to={total.placed > 0 ? ordersWithin('placed', told) : undefined}
        />
        <Figure
          name={`Refunds${total.refunded > 0 ? `, ${inFigures(total.refunded)} ${total.refunded === 1 ? 'order' : 'orders'}` : ''}`}
          value={inDollars(total.refundedCents)}
          compared={comparedWords(total.refundedCents, before.refundedCents, period, inDollars, 'less')}
          to={total.refunded > 0 ? ordersWithin('refunded', told) : undefined}
        />
      </ul>
      <figure className="flex flex-col gap-3">
        <figcaption className="max-w-read">{summary(told, period)}</figcaption>
        <Chart steps={told.steps} period={period} />
        <details>
          <summary className="min-h-6 w-fit cursor-pointer font-medium">Show as table</summary>
          <div className="mt-3">
            <Steps steps={told.steps} period={period} />
          </div>
        </details>
      </figure>
    </>
  )
}

/** Each has room for $99,999,999.99 in one line. */
const figures = 'grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4'

type FigureProps = { name: string; value: string; compared: string; to: string | undefined }

function Figure({ name, value, compared, to }: FigureProps) {
  const shape = 'flex h-full flex-col gap-1 rounded border border-line p-3'
  const words = (
    <>
      <span className="text-sm font-medium text-soft">{name}</span>
      <span
        className={`figures text-2xl font-semibold whitespace-nowrap xl:text-xl ${to ? 'underline decoration-1 underline-offset-4' : ''}`}
      >
        {value}
      </span>
      <span className="text-sm text-soft">{compared}</span>
    </>
  )
  return (
    <li>
      {to ? (
        <Link to={to} prefetch="intent" className={`${shape} hover:border-leaf hover:bg-tint`}>
          {words}
        </Link>
      ) : (
        <div className={shape}>{words}</div>
      )}
    </li>
  )
}

/** What the chart shows, in a sentence or two. */
function summary({ steps, total }: Answer, period: Period): string {
  const step = period === '12m' ? 'month' : 'day'
  if (total.takenCents === 0) return `Nothing was taken in these ${periodWords[period]}.`
  const best = steps.reduce((best, each) => (each.takenCents > best.takenCents ? each : best))
  const none = steps.filter(({ takenCents }) => takenCents === 0).length
  const most = `Most was taken ${step === 'day' ? 'on' : 'in'} ${stepWords(best, period)}: ${inDollars(best.takenCents)}.`
  return none === 0 ? most : `${most} On ${none} of ${steps.length} ${step}s nothing came in.`.replace(/On (\d+ of \d+ months)/, 'In $1')
}

/** Drawn once its library is here: no other screen needs it, and the figures do not wait for it. */
function Chart(props: ChartProps) {
  const [Drawn, setDrawn] = useState<ComponentType<ChartProps>>()
  const [failed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    import('./takings-chart.tsx').then(
      ({ TakingsChart }) => setDrawn(() => TakingsChart),
      () => setFailed(true),
    )
  }
  useEffect(load, [])

  if (failed)
    return (
      <Notice
        kind="error"
        title="The chart could not be loaded"
        action={
          <Button look="quiet" onClick={load}>
            Try again
          </Button>
        }
      >
        The table below says the same.
      </Notice>
    )
  return <div className="h-100">{Drawn ? <Drawn {...props} /> : <Blank className="h-full" />}</div>
}

function Steps({ steps, period }: Pick<Answer, 'steps'> & { period: Period }) {
  const name = period === '12m' ? 'Month' : 'Day'
  return (
    <Table
      caption={`Takings and orders by ${name.toLowerCase()}, newest first`}
      head={[
        { label: name },
        { label: 'Takings', figures: true },
        { label: 'Orders paid', figures: true },
        { label: 'Orders placed', figures: true },
        { label: 'Refunds', figures: true },
      ]}
    >
      {steps.toReversed().map((step, nth) => (
        <Row key={step.from}>
          <Cell label={name} head>
            {stepWords(step, period)}
            {nth === 0 && ' (so far)'}
          </Cell>
          <Cell label="Takings" figures>
            <Amount amountCents={step.takenCents} />
          </Cell>
          <Cell label="Orders paid" figures>
            {inFigures(step.paid)}
          </Cell>
          <Cell label="Orders placed" figures>
            {inFigures(step.placed)}
          </Cell>
          <Cell label="Refunds" figures>
            <Amount amountCents={step.refundedCents} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function NoOrders() {
  return (
    <Empty
      scene="no-orders"
      title="No orders yet"
      heading="h3"
      actions={
        <ButtonLink look="quiet" to="/allproducts">
          See the store as customers do
        </ButtonLink>
      }
    >
      What comes in stands here from the first order on, day by day.
    </Empty>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-6">
      <Blank className="-mt-2 h-5 w-full max-w-read" />
      <div className={figures}>
        {choices.map((choice) => (
          <Blank key={choice} className="h-30" />
        ))}
      </div>
      <div className="flex flex-col gap-3">
        <Blank className="h-6 w-full max-w-read" />
        <Blank className="h-100" />
        <Blank className="h-6 w-32" />
      </div>
    </div>
  )
}
