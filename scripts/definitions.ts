import { readSettings } from '#platform/settings.ts'
import { exitOnStartupError } from '#platform/startup-error.ts'
import { runDefinitionsCommand } from './definitions-command.ts'

/** `npm run definitions -- export FILE [--revision=N] | check FILE | import FILE`: categories, attributes, units and words of the catalogue. */
await exitOnStartupError(() => runDefinitionsCommand(readSettings(process.env), process.argv.slice(2), console.log))
