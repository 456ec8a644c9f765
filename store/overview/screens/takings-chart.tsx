import { Bar, BarChart, CartesianGrid, LabelList, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts'
import { inDollars } from '#store/in-dollars.ts'
import { inFigures } from '#store/in-figures.ts'
import type { Period, Takings } from '#store/overview/contract.ts'
import { Panel } from '#web/panel.tsx'
import { shortStepWords, stepWords } from './words.ts'

export type ChartProps = { steps: Takings['steps']; period: Period }

/** A step as it is drawn, in dollars: the last one has only begun, so its bars look otherwise. Refunds hang below the line. */
type Drawn = {
  step: Takings['steps'][number]
  from: string
  taken: number
  takenSoFar: number
  refunded: number
  placed: number
  placedSoFar: number
  /** on the highest bar alone */
  takenLabel: string
  placedLabel: string
}

function drawnOf(steps: Takings['steps']): Drawn[] {
  const most = { taken: Math.max(...steps.map(({ takenCents }) => takenCents)), placed: Math.max(...steps.map(({ placed }) => placed)) }
  const labelled = {
    taken: most.taken > 0 ? steps.findIndex(({ takenCents }) => takenCents === most.taken) : -1,
    placed: most.placed > 0 ? steps.findIndex(({ placed }) => placed === most.placed) : -1,
  }
  return steps.map((step, nth) => {
    const begun = nth === steps.length - 1
    return {
      step,
      from: step.from,
      taken: begun ? 0 : step.takenCents / 100,
      takenSoFar: begun ? step.takenCents / 100 : 0,
      refunded: -step.refundedCents / 100,
      placed: begun ? 0 : step.placed,
      placedSoFar: begun ? step.placed : 0,
      takenLabel: nth === labelled.taken ? inDollars(step.takenCents) : '',
      placedLabel: nth === labelled.placed ? inFigures(step.placed) : '',
    }
  })
}

/** Round figures from zero to the highest bar or just above it: at most three steps of 1, 2, 2.5 or 5 times a power of ten, whole ones. */
function roundSteps(most: number): number[] {
  const least = Math.max(most, 1) / 3
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 2.5, 5, 10].map((times) => times * power).find((step) => step >= least && Number.isInteger(step)) ?? 1
  return [0, ...[1, 2, 3].map((times) => times * step).filter((at) => at - step < most)]
}

const roughly = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const asAxis = { stroke: 'var(--edge)', tickLine: false, axisLine: false, tick: { fill: 'var(--soft)' } } as const
const still = { isAnimationActive: false } as const
const soFar = { fill: 'var(--panel)', strokeWidth: 1.5, strokeDasharray: '3 2' } as const
const label = { position: 'top', fill: 'var(--ink)', className: 'figures' } as const

/** Takings above, orders below, over the same days: two charts with bars from zero. */
export function TakingsChart({ steps, period }: ChartProps) {
  const data = drawnOf(steps)
  const by = period === '12m' ? 'month' : 'day'
  const dollars = roundSteps(Math.max(...steps.map(({ takenCents }) => takenCents)) / 100)
  const orders = roundSteps(Math.max(...steps.map(({ placed }) => placed)))
  const refunded = Math.max(...steps.map(({ refundedCents }) => refundedCents)) / 100
  const shared = { data, responsive: true, stackOffset: 'sign', barCategoryGap: '20%' } as const
  const pointed = (
    <Tooltip
      {...still}
      cursor={{ fill: 'var(--tint)' }}
      content={({ active, payload }) => <OneStep shown={active ? payload?.[0]?.payload : undefined} period={period} />}
    />
  )
  const margin = { top: 24, right: 28, bottom: 0, left: 0 }
  const width = 56
  return (
    <div className="flex h-full flex-col gap-1 text-sm">
      <p className="font-medium">
        Takings by {by}
        <span className="font-normal text-soft">, dashed: so far{refunded > 0 && ', below the line: refunds'}</span>
      </p>
      <BarChart
        {...shared}
        margin={margin}
        className="min-h-0 w-full grow-3 basis-0"
        aria-label={`Takings by ${by}. The arrow keys go from ${by} to ${by}.`}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="from" hide />
        <YAxis
          {...asAxis}
          width={width}
          ticks={dollars}
          domain={[-refunded * 1.1, dollars.at(-1) ?? 1]}
          tickFormatter={(dollars: number) => `${dollars < 0 ? '-' : ''}$${roughly.format(Math.abs(dollars))}`}
        />
        <ReferenceLine y={0} stroke="var(--edge)" />
        {pointed}
        <Bar {...still} dataKey="taken" stackId="money" fill="var(--leaf)">
          <LabelList {...label} dataKey="takenLabel" />
        </Bar>
        <Bar {...still} {...soFar} dataKey="takenSoFar" stackId="money" stroke="var(--leaf)">
          <LabelList {...label} dataKey="takenLabel" />
        </Bar>
        <Bar {...still} dataKey="refunded" stackId="money" fill="var(--bad)" />
      </BarChart>
      <p className="font-medium">Orders placed by {by}</p>
      <BarChart
        {...shared}
        margin={margin}
        className="min-h-0 w-full grow-2 basis-0"
        accessibilityLayer={false}
        role="img"
        aria-label={`Orders placed by ${by}`}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="from" {...asAxis} minTickGap={16} tickFormatter={(from: string) => shortStepWords(from, period)} />
        <YAxis
          {...asAxis}
          width={width}
          ticks={orders}
          domain={[0, orders.at(-1) ?? 1]}
          tickFormatter={(orders: number) => roughly.format(orders)}
        />
        <ReferenceLine y={0} stroke="var(--edge)" />
        {pointed}
        <Bar {...still} dataKey="placed" stackId="orders" fill="var(--edge)">
          <LabelList {...label} dataKey="placedLabel" />
        </Bar>
        <Bar {...still} {...soFar} dataKey="placedSoFar" stackId="orders" stroke="var(--edge)">
          <LabelList {...label} dataKey="placedLabel" />
        </Bar>
      </BarChart>
    </div>
  )
}

/** What is known of the step that is pointed at. */
function OneStep({ shown, period }: { shown: Drawn | undefined; period: Period }) {
  if (!shown) return null
  const { step, from } = shown
  return (
    <Panel look="raised" room="close" role="status" className="text-sm">
      <p className="font-semibold">{stepWords({ from }, period)}</p>
      <p>
        {inDollars(step.takenCents)} taken from {inFigures(step.paid)} {step.paid === 1 ? 'order' : 'orders'}
      </p>
      {step.refundedCents > 0 && <p>{inDollars(step.refundedCents)} refunded</p>}
      <p>
        {inFigures(step.placed)} {step.placed === 1 ? 'order' : 'orders'} placed
      </p>
    </Panel>
  )
}
