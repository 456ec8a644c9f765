import { Bar, BarChart, CartesianGrid, LabelList, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import { formatCents } from '#shared/money.ts'
import type { Period, Revenue } from '#store/overview/contract.ts'
import { Panel } from '#web/panel.tsx'
import { formatChartBucket, formatChartBucketShort } from './period-labels.ts'

export type RevenueChartProps = { steps: Revenue['steps']; period: Period }

/** Chart data of a step, in the store's currency. The last step is incomplete: its bars have their own fields and style. Refunds are negative. */
type ChartRow = {
  step: Revenue['steps'][number]
  from: string
  taken: number
  takenSoFar: number
  refunded: number
  placed: number
  placedSoFar: number
  /** set on the highest bar only */
  takenLabel: string
  placedLabel: string
}

function chartRows(steps: Revenue['steps']): ChartRow[] {
  const max = { taken: Math.max(...steps.map(({ takenCents }) => takenCents)), placed: Math.max(...steps.map(({ placed }) => placed)) }
  const labelled = {
    taken: max.taken > 0 ? steps.findIndex(({ takenCents }) => takenCents === max.taken) : -1,
    placed: max.placed > 0 ? steps.findIndex(({ placed }) => placed === max.placed) : -1,
  }
  return steps.map((step, index) => {
    const isIncomplete = index === steps.length - 1
    return {
      step,
      from: step.from,
      taken: isIncomplete ? 0 : step.takenCents / 100,
      takenSoFar: isIncomplete ? step.takenCents / 100 : 0,
      refunded: -step.refundedCents / 100,
      placed: isIncomplete ? 0 : step.placed,
      placedSoFar: isIncomplete ? step.placed : 0,
      takenLabel: index === labelled.taken ? formatCents(step.takenCents) : '',
      placedLabel: index === labelled.placed ? formatNumber(step.placed) : '',
    }
  })
}

/** Axis ticks from zero to the highest bar or just above: at most three integer steps of 1, 2, 2.5 or 5 times a power of ten. */
function axisTicks(max: number): number[] {
  const minStep = Math.max(max, 1) / 3
  const power = 10 ** Math.floor(Math.log10(minStep))
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((step) => step >= minStep && Number.isInteger(step)) ?? 1
  return [0, ...[1, 2, 3].map((times) => times * step).filter((tick) => tick - step < max)]
}

const compactNumberFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const axisProps = { stroke: 'var(--edge)', tickLine: false, axisLine: false, tick: { fill: 'var(--soft)' } } as const
const noAnimationProps = { isAnimationActive: false } as const
const partialBarProps = { fill: 'var(--panel)', strokeWidth: 1.5, strokeDasharray: '3 2' } as const
const labelProps = { position: 'top', fill: 'var(--ink)', className: 'figures' } as const

/** Two bar charts over the same period: revenue and refunds above, orders placed below. */
export function RevenueChart({ steps, period }: RevenueChartProps) {
  const data = chartRows(steps)
  const by = period === '12m' ? 'month' : 'day'
  const hasRefunds = steps.some(({ refundedCents }) => refundedCents > 0)
  return (
    <div className="flex h-full flex-col gap-1 text-sm">
      <p className="font-medium">
        Takings by {by}
        <span className="font-normal text-soft">, dashed: so far{hasRefunds && ', below the line: refunds'}</span>
      </p>
      <TakingsChart data={data} period={period} by={by} />
      <p className="font-medium">Orders placed by {by}</p>
      <OrdersChart data={data} period={period} by={by} />
    </div>
  )
}

const chartProps = { responsive: true, stackOffset: 'sign', barCategoryGap: '20%' } as const
const margin = { top: 24, right: 28, bottom: 0, left: 0 }

/** In pixels, of the longest label. */
const axisWidth = () => 48 + 8 * storeCurrency().symbol.length

const stepTooltip = (period: Period) => (
  <Tooltip
    {...noAnimationProps}
    cursor={{ fill: 'var(--tint)' }}
    content={({ active, payload }) => <StepTooltip shown={active ? payload?.[0]?.payload : undefined} period={period} />}
  />
)

type ChartProps = { data: ChartRow[]; period: Period; by: 'month' | 'day' }

function TakingsChart({ data, period, by }: ChartProps) {
  const amounts = axisTicks(Math.max(...data.map(({ step }) => step.takenCents)) / 100)
  const refunded = Math.max(...data.map(({ step }) => step.refundedCents)) / 100
  return (
    <BarChart
      {...chartProps}
      data={data}
      margin={{ ...margin, bottom: 8 }} // half the label of $0
      className="min-h-0 w-full grow-3 basis-0"
      aria-label={`Takings by ${by}. The arrow keys go from ${by} to ${by}.`}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" horizontalValues={amounts} />
      <XAxis dataKey="from" hide />
      <YAxis
        {...axisProps}
        width={axisWidth()}
        interval={0} // a label that touches the edge would be left out
        ticks={amounts}
        domain={[-refunded * 1.1, amounts.at(-1) ?? 1]}
        tickFormatter={(amount: number) =>
          `${amount < 0 ? '-' : ''}${storeCurrency().symbol}${compactNumberFormat.format(Math.abs(amount))}`
        }
      />
      <ReferenceLine y={0} stroke="var(--edge)" />
      {stepTooltip(period)}
      <Bar {...noAnimationProps} dataKey="taken" stackId="money" fill="var(--leaf)">
        <LabelList {...labelProps} dataKey="takenLabel" />
      </Bar>
      <Bar {...noAnimationProps} {...partialBarProps} dataKey="takenSoFar" stackId="money" stroke="var(--leaf)">
        <LabelList {...labelProps} dataKey="takenLabel" />
      </Bar>
      <Bar {...noAnimationProps} dataKey="refunded" stackId="money" fill="var(--bad)" />
    </BarChart>
  )
}

function OrdersChart({ data, period, by }: ChartProps) {
  const orders = axisTicks(Math.max(...data.map(({ step }) => step.placed)))
  return (
    <BarChart
      {...chartProps}
      data={data}
      margin={margin}
      className="min-h-0 w-full grow-2 basis-0"
      accessibilityLayer={false}
      role="img"
      aria-label={`Orders placed by ${by}`}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" horizontalValues={orders} />
      <XAxis
        dataKey="from"
        {...axisProps}
        minTickGap={16}
        interval="equidistantPreserveStart"
        tickFormatter={(from: string) => formatChartBucketShort(from, period)}
      />
      <YAxis
        {...axisProps}
        width={axisWidth()}
        interval={0} // a label that touches the edge would be left out
        ticks={orders}
        domain={[0, orders.at(-1) ?? 1]}
        tickFormatter={(orders: number) => compactNumberFormat.format(orders)}
      />
      <ReferenceLine y={0} stroke="var(--edge)" />
      {stepTooltip(period)}
      <Bar {...noAnimationProps} dataKey="placed" stackId="orders" fill="var(--edge)">
        <LabelList {...labelProps} dataKey="placedLabel" />
      </Bar>
      <Bar {...noAnimationProps} {...partialBarProps} dataKey="placedSoFar" stackId="orders" stroke="var(--edge)">
        <LabelList {...labelProps} dataKey="placedLabel" />
      </Bar>
    </BarChart>
  )
}

/** Details of the hovered or focused step. */
function StepTooltip({ shown, period }: { shown: ChartRow | undefined; period: Period }) {
  if (!shown) return null
  const { step, from } = shown
  return (
    <Panel variant="raised" padding="close" role="status" className="text-sm">
      <p className="font-semibold">{formatChartBucket({ from }, period)}</p>
      <p>
        {formatCents(step.takenCents)} taken from {formatNumber(step.paid)} {step.paid === 1 ? 'order' : 'orders'}
      </p>
      {step.refundedCents > 0 && <p>{formatCents(step.refundedCents)} refunded</p>}
      <p>
        {formatNumber(step.placed)} {step.placed === 1 ? 'order' : 'orders'} placed
      </p>
    </Panel>
  )
}
