import { useState } from 'react'
import { askToVerify } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'
import { useWithGoogle } from './google-button.tsx'
import { MailOnItsWay } from './mail-on-its-way.tsx'

type Answer = { verified: boolean } | { refused: string }

/** Sends the mail that verifies one's e-mail once more, or tells that it is verified already. */
export function VerifyOwnEmail({ email }: { email: string }) {
  const withGoogle = useWithGoogle()
  const [asking, setAsking] = useState(false)
  const [answer, setAnswer] = useState<Answer>()

  async function ask() {
    setAsking(true)
    setAnswer(undefined)
    try {
      const { verified } = await send(askToVerify, {})
      setAnswer({ verified })
      toast(verified ? 'Your e-mail is verified already' : 'Verification mail sent')
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setAnswer({ refused: refusal.message })
      toast(refusal.message, { kind: 'error' })
    } finally {
      setAsking(false)
    }
  }

  return (
    <section aria-labelledby="verify" className="flex max-w-form flex-col items-start gap-4 border-t border-line pt-6">
      <h2 id="verify" className="text-xl">
        Verify your e-mail
      </h2>
      <p className="text-soft">
        It shows that {email} is yours{withGoogle && ', and lets you come in with Google as well'}. You can order and pay without it.
      </p>
      {answer && 'refused' in answer && <Notice kind="error" title={answer.refused} />}
      {answer && 'verified' in answer && answer.verified && <Notice kind="success" title="Your e-mail is verified already" />}
      {answer && 'verified' in answer && !answer.verified && (
        <MailOnItsWay title="Verification mail sent">The link in it works once, for 60 minutes. Look in spam as well.</MailOnItsWay>
      )}
      <Button look="quiet" busy={asking} busyWords="Sending" onClick={ask}>
        Send the verification mail again
      </Button>
    </section>
  )
}
