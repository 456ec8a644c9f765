import { useState } from 'react'
import { type Account, liftLimits } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { Refusal } from '#web/refusal.ts'
import { send } from '#web/send.ts'
import { toast } from '#web/toast.tsx'

type LiftLimitsProps = { account: Account; onChange: (account: Account) => void }

/** Whether an account orders without the limits of buyers, as a button that changes it. */
export function LiftLimits({ account: { email, limitsLifted }, onChange }: LiftLimitsProps) {
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()

  async function change() {
    setBusy(true)
    setTrouble(undefined)
    try {
      const account = await send(liftLimits, { params: { email }, body: { lifted: !limitsLifted } })
      onChange(account)
      toast(account.limitsLifted ? 'Limits lifted' : 'Limits are back', { detail: email })
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
      <Button
        dense
        look="quiet"
        busy={busy}
        aria-label={`${limitsLifted ? 'Limits lifted: put them back' : 'Lift limits'}, ${email}`}
        aria-current={limitsLifted || undefined}
        title={limitsLifted ? 'Orders as much as they want: press to put the limits back' : 'Lets them hold more unpaid orders than others'}
        onClick={change}
      >
        {limitsLifted ? 'Limits lifted' : 'Lift limits'}
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
