/** A reason not to start that its reader can mend: one line on the screen and a non-zero exit, no stack trace. */
export class CannotStart extends Error {}

/** Runs the start; a CannotStart ends the process with its line, anything else is a bug and keeps its stack. */
export async function startOrSayWhy(start: () => Promise<unknown>): Promise<void> {
  try {
    await start()
  } catch (error) {
    console.error(error instanceof CannotStart ? error.message : error)
    process.exit(1)
  }
}
