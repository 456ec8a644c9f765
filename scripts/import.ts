import { readSettings } from '#platform/settings.ts'
import { exitOnStartupError } from '#platform/startup-error.ts'
import { importFile } from './import-file.ts'

/**
 * `npm run import -- FILE [--dry-run] [--skip-wrong] [--stock=set|keep] [--again]`: imports a file of products, all or nothing, whether the
 * store runs or not. Exits with 1 when nothing was imported, or with `--dry-run` would not be: because rows are invalid, because the file
 * sets stock and `--stock` is missing, or because the same file has already moved stock and `--again` is missing.
 */
await exitOnStartupError(() => importFile(readSettings(process.env), process.argv.slice(2), console.log))
