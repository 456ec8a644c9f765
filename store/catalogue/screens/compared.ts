import { useSyncExternalStore } from 'react'
import { mostCompared } from '#store/constants.ts'

/** A part that is ticked to be compared. */
export type Ticked = { id: string; name: string; category: string }

const key = 'compared'
const none: Ticked[] = []
const listeners = new Set<() => void>()
let refused: string | undefined
let kept: { text: string | null; parts: Ticked[] } = { text: null, parts: none }

/** The parts that are ticked in this tab, in the order of ticking; none on the server and until the page is hydrated. */
export const useTicked = (): Ticked[] => useSyncExternalStore(listen, read, () => none)

/** In words why the last part was not taken; undefined when it was. */
export const useTickRefused = (): string | undefined =>
  useSyncExternalStore(
    listen,
    () => refused,
    () => undefined,
  )

export const isTicked = (id: string): boolean => read().some((part) => part.id === id)

/** Ticks a part, or unticks it. One that does not fit the others is refused in words. */
export function tick(part: Ticked): void {
  const parts = read()
  if (isTicked(part.id)) untick(part.id)
  else if (parts.length >= mostCompared) write(parts, `${mostCompared} parts are compared at most: untick one first.`)
  else if (parts.some(({ category }) => category !== part.category))
    write(parts, `${part.name} is of another category, and parts are compared within one. Clear the others to begin anew with it.`)
  else write([...parts, part])
}

export const untick = (id: string): void => write(read().filter((part) => part.id !== id))

export const untickAll = (): void => write([])

/** Where these parts stand side by side. */
export const compareAddress = (ids: string[]): string => `/compare?${new URLSearchParams(ids.map((id) => ['id', id]))}`

function read(): Ticked[] {
  const store = storage()
  if (!store) return kept.parts
  const text = store.getItem(key)
  if (text !== kept.text) kept = { text, parts: parse(text) }
  return kept.parts
}

function write(parts: Ticked[], why?: string) {
  refused = why
  kept = { text: JSON.stringify(parts), parts }
  storage()?.setItem(key, JSON.stringify(parts))
  for (const tell of listeners) tell()
}

function listen(tell: () => void) {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Whatever lies there: what is no list of parts is none. */
function parse(text: string | null): Ticked[] {
  try {
    const parts: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parts) ? parts.filter(isPart).slice(0, mostCompared) : none
  } catch {
    return none
  }
}

const isPart = (part: unknown): part is Ticked =>
  typeof part === 'object' &&
  part !== null &&
  'id' in part &&
  typeof part.id === 'string' &&
  'name' in part &&
  typeof part.name === 'string' &&
  'category' in part &&
  typeof part.category === 'string'

/** A browser may forbid it: then the ticks last as long as the page. */
function storage(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
