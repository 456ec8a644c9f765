import { useState } from 'react'
import { useRouteLoaderData, useSearchParams } from 'react-router'
import { Button } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Refusal } from '#web/refusal.ts'
import { unreached } from '#web/send.ts'
import type { Shop } from '#web/shop.ts'
import { toast } from '#web/toast.tsx'

/** The other way in, where the store is a client of Google, of the same weight as the form above it: it ends at the same place. */
export function GoogleButton() {
  return useWithGoogle() && <WithGoogle />
}

/** Whether people can sign in with Google here. */
export const useWithGoogle = (): boolean => useRouteLoaderData<Shop>('root')?.google ?? false

function WithGoogle() {
  const [search] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()

  async function leave() {
    setBusy(true)
    setRefused(undefined)
    try {
      const { leaveForGoogle } = await import('./session.ts').catch(unreached)
      await leaveForGoogle(search.get('from'))
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      setBusy(false)
      setRefused(refusal.message)
      toast(refusal.message, { kind: 'error' })
    }
  }

  return (
    <div className="needs-script flex flex-col gap-6">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      <Button look="quiet" busy={busy} busyWords="Going to Google" onClick={leave}>
        <span aria-hidden="true" className="size-5 bg-current mask-[url(/brands/google.svg)] mask-contain" />
        Continue with Google
      </Button>
      {refused && (
        <Notice kind="error" title={refused}>
          Nothing was changed. The form above works in any case.
        </Notice>
      )}
    </div>
  )
}
