import { runQueuedTestFiles } from '../test-file-queue.ts'

await runQueuedTestFiles()
