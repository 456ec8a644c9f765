import { readdirSync, readFileSync } from 'node:fs'
import { printFigure } from './print.ts'

/** Milliseconds of processor time so far. */
type ProcessorTime = { store: number; database: number }

/**
 * Says what one of many calls takes of the processors, in the store and in its database: on a machine that other work shares that can be compared,
 * and times cannot. On Linux alone.
 * @param storeProcess its id
 */
export function createProcessorMeter(storeProcess: number | undefined, dataDir: string) {
  return {
    /** @param count how many calls there were since the start of the process that sends them */
    async measure<Result>(what: string, work: () => Promise<Result>, count: () => number): Promise<Result> {
      const [before, countBefore] = [readTimes(storeProcess, dataDir), count()]
      const result = await work()
      const [after, calls] = [readTimes(storeProcess, dataDir), count() - countBefore]
      const each = (part: keyof ProcessorTime) => `${((after[part] - before[part]) / calls).toFixed(2)} ms`
      if (process.platform === 'linux')
        printFigure(`  ${what} takes of the processors`, `    store ${each('store')}, database ${each('database')}`)
      return result
    },
  }
}

type ProcessTimes = { parent: number; own: number; children: number }
/** Of a tick, in which the kernel counts (USER_HZ). */
const millisecondsPerTick = 10

function readTimes(storeProcess: number | undefined, dataDir: string): ProcessorTime {
  const processes = new Map<number, ProcessTimes>()
  let server = 0
  for (const id of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const stat = readIfThere(`/proc/${id}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * millisecondsPerTick
    processes.set(id, { parent: Number(fields[1]), own: ticks(11), children: ticks(13) })
    const command = readIfThere(`/proc/${id}/cmdline`)
    if (command.includes('postgres\0-D') && command.includes(dataDir)) server = id
  }
  let database = processes.get(server)?.children ?? 0 // connections that were closed
  for (const [id, { parent, own }] of processes) if (id === server || parent === server) database += own
  return { store: processes.get(storeProcess ?? 0)?.own ?? 0, database }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile
  }
}
