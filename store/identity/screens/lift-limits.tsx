import { useState } from 'react'
import { type Account, liftLimits } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { Status } from '#web/status.tsx'
import { toast } from '#web/toast.tsx'

type LiftLimitsProps = { account: Account; onChange: (account: Account) => void }

/** Whether an account orders without the limits of buyers, and a button that changes it. `onChange` tells what came of it. */
export function LiftLimits({ account: { email, limitsLifted }, onChange }: LiftLimitsProps) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()

  const act = limitsLifted ? 'Put limits back' : 'Lift limits'

  async function change() {
    setBusy(true)
    setTrouble(undefined)
    try {
      onChange(await send(liftLimits, { params: { email }, body: { lifted: !limitsLifted } }))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      toast(refusal.message, { kind: 'error', detail: email })
      setTrouble(refusal.message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {limitsLifted ? <Status kind="neutral">Limits lifted</Status> : <span className="text-soft">Limits: usual</span>}
      <Button dense look="quiet" busy={busy} aria-label={`${act}, ${email}`} onClick={change}>
        {act}
      </Button>
      {trouble && (
        <span role="alert" className="flex items-start gap-1 text-left font-medium text-bad">
          <Icon name="error" />
          {trouble}
        </span>
      )}
    </>
  )
}
