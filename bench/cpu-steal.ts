import { existsSync, readFileSync } from 'node:fs'

/** So much of a machine's busy time may go to others before what it measured is thrown away. */
const maxStealShare = 0.03

type CpuTime = { busy: number; steal: number }

/** Counted from the start of the machine, in ticks; undefined where the system does not say (only Linux does). */
function cpuTime(): CpuTime | undefined {
  if (!existsSync('/proc/stat')) return undefined
  const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').map(Number) ?? []
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = ticks
  return { busy: user + nice + system, steal: stolen }
}

/**
 * Begins to watch how long this machine, a guest on a shared one, wants to work and may not because the host serves others.
 * @returns asks whether that was so much since then that what was measured says more of the neighbours than of the store
 */
export function watchCpuSteal(): () => boolean {
  const before = cpuTime()
  return () => {
    const after = cpuTime()
    if (!before || !after) return false
    const stolen = after.steal - before.steal
    return stolen / (after.busy - before.busy + stolen) > maxStealShare
  }
}
