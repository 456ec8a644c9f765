import { planOpenedStore } from '../test/opened-store.ts'

/** Before the first journey. @returns what is done after the last */
export default function setup(): () => void {
  const opened = planOpenedStore()
  return () => opened[Symbol.dispose]()
}
