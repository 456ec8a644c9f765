import { readFileSync } from 'node:fs'
import type { LoadResult } from './load-generator.ts'

const width = 62

export function printHeading(text: string) {
  console.log(`\n${text}`)
}

export function printFigure(what: string, figure: string) {
  console.log(`${what.padEnd(width)}${figure}`)
}

/** A figure beside its limit, kept or not. */
export function printLimitCheck(what: string, figure: number, limit: { most: number } | { least: number }, unit: string) {
  const [held, words] =
    'most' in limit ? [figure <= limit.most, `at most ${limit.most}`] : [figure >= limit.least, `at least ${limit.least}`]
  printFigure(what, `${rounded(figure).padStart(9)} ${unit.padEnd(4)} ${words} ${unit}: ${held ? 'kept' : 'NOT KEPT'}`)
}

/** A load beside the one that it is measured against, and the share of it that it has to reach. */
export function printLoadResult(
  what: string,
  { perSecond, p50, p99, kilobytes, failed }: LoadResult,
  beside?: { perSecond: number },
  least?: number,
) {
  const share = beside && Math.round((100 * perSecond) / beside.perSecond)
  const limit = share !== undefined && least !== undefined ? `, at least ${least} %: ${share >= least ? 'kept' : 'NOT KEPT'}` : ''
  const figures = `${perSecond.toFixed(0).padStart(9)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${kilobytes.toFixed(1)} kB`
  console.log(
    `${what.padEnd(width)}${figures}${share === undefined ? '' : `  ${share} % of the limit above`}${limit}${failed ? `  ${failed} FAILED` : ''}`,
  )
}

/** Resident memory in MB, as the kernel counts it. */
export function residentMegabytes(pid: number | undefined): number {
  const resident = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)?.[1]
  return Number(resident) / 1024
}

const rounded = (figure: number) => (Number.isInteger(figure) ? `${figure}` : figure.toPrecision(figure < 10 ? 2 : 4))
