import { type Account, liftBuyerLimits } from '#store/identity/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Icon } from '#web/icon.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { useSubmit } from '#web/use-submit.ts'

type BuyerLimitsToggleProps = { account: Account; onChange: (account: Account) => void }

/** Shows whether an account is exempt from the buyer limits, with a button that changes it. `onChange` gets the changed account. */
export function BuyerLimitsToggle({ account: { email, limitsLifted }, onChange }: BuyerLimitsToggleProps) {
  const label = limitsLifted ? 'Put limits back' : 'Lift limits'

  const { submit, busy, refusal } = useSubmit({
    send: () => callApi(liftBuyerLimits, { params: { email }, body: { lifted: !limitsLifted } }),
    onDone: onChange,
  })

  return (
    <>
      {limitsLifted ? <StatusBadge kind="neutral">Limits lifted</StatusBadge> : <span className="text-soft">Limits: usual</span>}
      <Button dense variant="quiet" busy={busy} aria-label={`${label}, ${email}`} onClick={() => submit()}>
        {label}
      </Button>
      {refusal && (
        <span role="alert" className="flex items-start gap-1 text-left font-medium text-bad">
          <Icon name="error" />
          {refusal.message}
        </span>
      )}
    </>
  )
}
