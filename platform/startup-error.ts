/** A startup failure that the operator can fix: printed as its message without a stack trace, with a non-zero exit code. */
export class StartupError extends Error {}

/** Runs `start`. On a StartupError it prints the message and exits; any other error is a bug and is printed with its stack trace. */
export async function exitOnStartupError(start: () => Promise<unknown>): Promise<void> {
  try {
    await start()
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
}
