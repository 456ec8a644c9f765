import { startOrSayWhy } from '#platform/cannot-start.ts'
import { readSettings } from '#platform/settings.ts'
import { administer } from './administer.ts'

await startOrSayWhy(async () => console.log(await administer(readSettings(process.env), process.argv.slice(2))))
