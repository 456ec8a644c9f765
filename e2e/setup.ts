import { reserveInitializedDataDir } from '../test/initialized-data-dir.ts'
import { openTemporaryDir } from '../test/temporary-dir.ts'

/** Before the first journey. @returns what is done after the last */
export default function setup(): () => void {
  const opened = new DisposableStack()
  opened.use(openTemporaryDir())
  opened.use(reserveInitializedDataDir())
  return () => opened.dispose()
}
