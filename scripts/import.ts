import { startOrSayWhy } from '#platform/cannot-start.ts'
import { readSettings } from '#platform/settings.ts'
import { importFile } from './import-file.ts'

/**
 * `npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]`: brings a file of parts into the catalogue, all of it or nothing,
 * whether the store runs or not. Ends with 1 when nothing was imported because rows are wrong or the file would set stock and nobody has said
 * what is to become of it, or would move stock as it has done before, which `--again` allows; or with `--dry-run` would not be.
 */
await startOrSayWhy(() => importFile(readSettings(process.env), process.argv.slice(2), console.log))
