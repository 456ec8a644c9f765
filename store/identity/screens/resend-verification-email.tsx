import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { resendVerificationEmail } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Notice } from '#web/notice.tsx'
import { useSubmit } from '#web/use-submit.ts'
import { EmailSentNotice } from './email-sent-notice.tsx'
import { useGoogleSignInEnabled } from './google-button.tsx'
import { rememberVerificationOrigin } from './verification-origin.ts'

type ResendVerificationEmailProps = {
  email: string
  /** what the account lacks without it, before what is said everywhere: then the verification leads back to this page */
  children?: ReactNode
}

/** Sends the verification email again, or says that the address is verified already. */
export function ResendVerificationEmail({ email, children }: ResendVerificationEmailProps) {
  const withGoogle = useGoogleSignInEnabled()
  const [result, setResult] = useState<{ verified: boolean }>()
  const { pathname } = useLocation()
  const isAskedFor = children !== undefined
  useEffect(() => {
    if (isAskedFor) rememberVerificationOrigin(email, pathname)
  }, [isAskedFor, email, pathname])
  const { submit, busy, refusal } = useSubmit({
    send() {
      setResult(undefined)
      return callApi(resendVerificationEmail, {})
    },
    onDone({ verified }) {
      setResult({ verified })
    },
  })

  return (
    <section aria-labelledby="verify" className="flex max-w-form flex-col items-start gap-4 border-t border-line pt-6">
      <h2 id="verify" className="text-xl">
        Verify your e-mail
      </h2>
      {children && <p>{children}</p>}
      <p className="text-soft">
        It shows that {email} is yours{withGoogle && ', and lets you come in with Google as well'}. You can order and pay without it.
      </p>
      {refusal && <Notice kind="error" title={refusal.message} />}
      {result?.verified && <Notice kind="success" title="Your e-mail is verified already" />}
      {result && !result.verified && (
        <EmailSentNotice title="Verification mail sent">The link in it works once, for 60 minutes. Look in spam as well.</EmailSentNotice>
      )}
      <Button variant="quiet" busy={busy} busyLabel="Sending" onClick={() => submit()}>
        Send the verification mail again
      </Button>
    </section>
  )
}
