import { reserveInitializedDataDir } from '../test/initialized-data-dir.ts'

/** Before the first journey. @returns what is done after the last */
export default function setup(): () => void {
  const opened = reserveInitializedDataDir()
  return () => opened[Symbol.dispose]()
}
