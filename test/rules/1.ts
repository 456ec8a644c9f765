import { takeTestFiles } from '../test-files.ts'

await takeTestFiles()
