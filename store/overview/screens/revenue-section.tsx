import { type ComponentType, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import { storeTimeZone } from '#shared/time-zone.ts'
import { type Period, type Revenue, showRevenue } from '#store/overview/contract.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { EmptyState } from '#web/empty-state.tsx'
import { Link } from '#web/link.tsx'
import { MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { SkeletonBlock } from '#web/skeleton.tsx'
import { Table } from '#web/table.tsx'
import { Cell, Row } from '#web/table-row.tsx'
import { ordersByDateUrl } from './list-urls.ts'
import { OverviewSection } from './overview-section.tsx'
import { comparisonText, formatChartBucket, periodLabels } from './period-labels.ts'
import type { RevenueChartProps } from './revenue-chart.tsx'
import { useApiQuery } from './use-api-query.ts'

const defaultPeriod: Period = '30d'
const isPeriod = (value: string | null): value is Period => value !== null && Object.hasOwn(periodLabels, value)
const periodChoices = Object.keys(periodLabels).filter(isPeriod)

const loadRevenue = async (key: string) => {
  const period = isPeriod(key) ? key : defaultPeriod
  return { period, ...(await callApi(showRevenue, { querystring: { period } })) }
}

/** Revenue figures compared with the previous period, a chart and a table of its data. The period is a query parameter. */
export function RevenueSection() {
  const param = useSearchParams()[0].get('period')
  const period = isPeriod(param) ? param : defaultPeriod
  const query = useApiQuery(loadRevenue, period)
  return (
    <OverviewSection
      title="Takings and orders"
      failureSubject="Takings"
      query={query}
      skeleton={<Skeleton />}
      aside={
        <nav aria-label="Period" className="flex flex-wrap gap-2">
          {periodChoices.map((choice) => (
            <ButtonLink
              key={choice}
              variant="quiet"
              dense
              to={{ search: choice === defaultPeriod ? '' : `?${new URLSearchParams({ period: choice })}` }}
              preventScrollReset
              defaultShouldRevalidate={false}
              prefetch="none"
              aria-current={choice === period || undefined}
            >
              {periodLabels[choice]}
            </ButtonLink>
          ))}
        </nav>
      }
    >
      {(data) => (data.everOrdered ? <RevenueFigures data={data} period={data.period} /> : <NoOrders />)}
    </OverviewSection>
  )
}

function RevenueFigures({ data, period }: { data: Revenue; period: Period }) {
  const { total, before } = data
  return (
    <>
      <p className="-mt-2 text-sm text-soft">
        {formatDay(data.from)} to {formatDay(data.to)}, days in time zone {storeTimeZone()}. Today counts so far, and is compared with as
        much of a day.
      </p>
      <ul className={figuresGridClasses}>
        <FigureCard
          name="Takings"
          value={formatCents(total.takenCents)}
          comparison={comparisonText(total.takenCents, before.takenCents, period, formatCents, 'less')}
          to={total.paid > 0 ? ordersByDateUrl('paid', data) : undefined}
        />
        <FigureCard
          name="Orders paid"
          value={formatNumber(total.paid)}
          comparison={comparisonText(total.paid, before.paid, period, formatNumber, 'fewer')}
          to={total.paid > 0 ? ordersByDateUrl('paid', data) : undefined}
        />
        <FigureCard
          name="Orders placed"
          value={formatNumber(total.placed)}
          comparison={comparisonText(total.placed, before.placed, period, formatNumber, 'fewer')}
          to={total.placed > 0 ? ordersByDateUrl('placed', data) : undefined}
        />
        <FigureCard
          name={`Refunds${total.refunded > 0 ? `, ${formatNumber(total.refunded)} ${total.refunded === 1 ? 'order' : 'orders'}` : ''}`}
          value={formatCents(total.refundedCents)}
          comparison={comparisonText(total.refundedCents, before.refundedCents, period, formatCents, 'less')}
          to={total.refunded > 0 ? ordersByDateUrl('refunded', data) : undefined}
        />
      </ul>
      <figure className="flex flex-col gap-3">
        <figcaption className="max-w-read">{chartSummary(data, period)}</figcaption>
        <LazyRevenueChart steps={data.steps} period={period} />
        <details>
          <summary className="min-h-6 w-fit cursor-pointer font-medium">Show as table</summary>
          <div className="mt-3">
            <StepsTable steps={data.steps} period={period} />
          </div>
        </details>
      </figure>
    </>
  )
}

/** Each column fits $99,999,999.99 on one line. */
const figuresGridClasses = 'grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4'

type FigureCardProps = { name: string; value: string; comparison: string; to: string | undefined }

function FigureCard({ name, value, comparison, to }: FigureCardProps) {
  const cardClasses = 'flex h-full flex-col gap-1 rounded border border-line p-3'
  const content = (
    <>
      <span className="text-sm font-medium text-soft">{name}</span>
      <span
        className={`figures text-2xl font-semibold whitespace-nowrap xl:text-xl ${to ? 'underline decoration-1 underline-offset-4' : ''}`}
      >
        {value}
      </span>
      <span className="text-sm text-soft">{comparison}</span>
    </>
  )
  return (
    <li>
      {to ? (
        <Link to={to} prefetch="intent" className={`${cardClasses} hover:border-leaf hover:bg-tint`}>
          {content}
        </Link>
      ) : (
        <div className={cardClasses}>{content}</div>
      )}
    </li>
  )
}

/** Text alternative of the chart. */
function chartSummary({ steps, total }: Revenue, period: Period): string {
  const step = period === '12m' ? 'month' : 'day'
  if (total.takenCents === 0) return `Nothing was taken in these ${periodLabels[period]}.`
  const best = steps.reduce((best, each) => (each.takenCents > best.takenCents ? each : best))
  const none = steps.filter(({ takenCents }) => takenCents === 0).length
  const most = `Most was taken ${step === 'day' ? 'on' : 'in'} ${formatChartBucket(best, period)}: ${formatCents(best.takenCents)}.`
  return none === 0 ? most : `${most} On ${none} of ${steps.length} ${step}s nothing came in.`.replace(/On (\d+ of \d+ months)/, 'In $1')
}

/** Loads the chart library on demand: no other page needs it, and the figures are displayed before. */
function LazyRevenueChart(props: RevenueChartProps) {
  const [Chart, setChart] = useState<ComponentType<RevenueChartProps>>()
  const [failed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    import('./revenue-chart.tsx').then(
      ({ RevenueChart }) => setChart(() => RevenueChart),
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
          <Button variant="quiet" onClick={load}>
            Try again
          </Button>
        }
      >
        The table below says the same.
      </Notice>
    )
  return <div className="h-100">{Chart ? <Chart {...props} /> : <SkeletonBlock className="h-full" />}</div>
}

function StepsTable({ steps, period }: Pick<Revenue, 'steps'> & { period: Period }) {
  const name = period === '12m' ? 'Month' : 'Day'
  return (
    <Table
      caption={`Takings and orders by ${name.toLowerCase()}, newest first`}
      columns={[
        { label: name },
        { label: 'Takings', isNumeric: true },
        { label: 'Orders paid', isNumeric: true },
        { label: 'Orders placed', isNumeric: true },
        { label: 'Refunds', isNumeric: true },
      ]}
    >
      {steps.toReversed().map((step, index) => (
        <Row key={step.from}>
          <Cell label={name} isRowHeader>
            {formatChartBucket(step, period)}
            {index === 0 && ' (so far)'}
          </Cell>
          <Cell label="Takings" isNumeric>
            <MoneyAmount amountCents={step.takenCents} />
          </Cell>
          <Cell label="Orders paid" isNumeric>
            {formatNumber(step.paid)}
          </Cell>
          <Cell label="Orders placed" isNumeric>
            {formatNumber(step.placed)}
          </Cell>
          <Cell label="Refunds" isNumeric>
            <MoneyAmount amountCents={step.refundedCents} />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function NoOrders() {
  return (
    <EmptyState
      illustration="no-orders"
      title="No orders yet"
      heading="h3"
      actions={
        <ButtonLink variant="quiet" to="/allproducts">
          See the store as customers do
        </ButtonLink>
      }
    >
      What comes in stands here from the first order on, day by day.
    </EmptyState>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-6">
      <SkeletonBlock className="-mt-2 h-5 w-full max-w-read" />
      <div className={figuresGridClasses}>
        {periodChoices.map((choice) => (
          <SkeletonBlock key={choice} className="h-30" />
        ))}
      </div>
      <div className="flex flex-col gap-3">
        <SkeletonBlock className="h-6 w-full max-w-read" />
        <SkeletonBlock className="h-100" />
        <SkeletonBlock className="h-6 w-32" />
      </div>
    </div>
  )
}
