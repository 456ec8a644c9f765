import type { ReactNode, Ref } from 'react'
import type { ApiError } from '#web/api-error.ts'
import { Notice } from '#web/notice.tsx'
import { SessionEndedNotice } from './session-ended-notice.tsx'

type RefusalNoticeProps = {
  refusal: ApiError
  /** what did not happen, and what to do next */
  children?: ReactNode
  action?: ReactNode
  /** the same where nobody knows whether it happened; `children` if absent */
  outcomeUnknown?: ReactNode
  outcomeUnknownAction?: ReactNode
  ref?: Ref<HTMLDivElement>
}

/** Why a request was not carried out, in the store's words, or that the session has ended. */
export function RefusalNotice({ refusal, children, action, outcomeUnknown = children, outcomeUnknownAction, ref }: RefusalNoticeProps) {
  if (refusal.code === 'not_signed_in') return <SessionEndedNotice />
  return (
    <Notice kind="error" title={refusal.message} action={refusal.isOutcomeUnknown ? outcomeUnknownAction : action} ref={ref}>
      {refusal.isOutcomeUnknown ? outcomeUnknown : children}
    </Notice>
  )
}
