import { useState } from 'react'
import { ApiError } from './api-error.ts'
import { toast } from './toast.tsx'

export type SubmitOptions<Input, Answer> = {
  send: (input: Input) => Promise<Answer>
  /** part of the submission: the button stays busy until it resolves */
  onDone?: (answer: Answer, input: Input) => void | Promise<void>
  /** awaited before the refusal is shown, for what it must be shown with, such as newly loaded data */
  onRefused?: (refusal: ApiError, input: Input) => void | Promise<void>
  /** the refusal is shown as a toast, with this as its second line: only where the page does not show it at the button */
  toastDetail?: (input: Input) => string
}

/**
 * State of a request that a press of a button sends: busy until it is done, and the error response of the last press. The next press removes
 * it. Any other error than an `ApiError` is a bug and is thrown.
 */
export function useSubmit<Input = void, Answer = void>({ send, onDone, onRefused, toastDetail }: SubmitOptions<Input, Answer>) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<ApiError>()

  async function submit(input: Input): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      const answer = await send(input)
      await onDone?.(answer, input)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (toastDetail) toast(error.message, { kind: 'error', detail: toastDetail(input) })
      await onRefused?.(error, input)
      setRefusal(error)
    } finally {
      setBusy(false)
    }
  }

  return { submit, busy, refusal, setRefusal }
}
