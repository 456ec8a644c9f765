import type { Refused } from '#store/call.ts'

/**
 * An answer of the API that is not 2xx, or none at all (`status` 0): the server's words, fit to be shown.
 * Apart from `send`, so that every page can tell a refusal from a fault without the weight of sending.
 */
export class Refusal extends Error {
  status: number
  errors: Record<string, string>
  code: string | undefined

  constructor(status: number, said: Refused) {
    super(said.message)
    this.status = status
    this.errors = said.errors ?? {}
    this.code = said.code
  }

  /** The answer may have got lost after the store did what was asked: nobody knows here. */
  get leavesInDoubt(): boolean {
    return this.status === 0 || this.status >= 500
  }
}
