import { readSettings } from '#platform/settings.ts'
import { exitOnStartupError } from '#platform/startup-error.ts'
import { runAdminCommand } from './admin-command.ts'

await exitOnStartupError(async () => console.log(await runAdminCommand(readSettings(process.env), process.argv.slice(2))))
