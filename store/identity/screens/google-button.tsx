import { useRouteLoaderData, useSearchParams } from 'react-router'
import { Button } from '#web/button.tsx'
import { throwNetworkError } from '#web/call-api.ts'
import { Notice } from '#web/notice.tsx'
import type { ShopConfig } from '#web/shop-config.ts'
import { useSubmit } from '#web/use-submit.ts'

/** Shown where Google sign-in is configured. It returns to the same page as the form above it. */
export function GoogleButton() {
  return useGoogleSignInEnabled() && <ContinueWithGoogle />
}

/** Whether Google sign-in is configured. */
export const useGoogleSignInEnabled = (): boolean => useRouteLoaderData<ShopConfig>('root')?.hasGoogleSignIn ?? false

function ContinueWithGoogle() {
  const [search] = useSearchParams()
  const { submit, busy, refusal } = useSubmit({
    async send() {
      const { redirectToGoogle } = await import('./session.ts').catch(throwNetworkError)
      await redirectToGoogle(search.get('from'))
    },
    onDone: () => new Promise(() => {}), // busy until the browser has left this page
  })

  return (
    <div className="needs-script flex flex-col gap-6">
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        or
      </p>
      <Button variant="quiet" busy={busy} busyLabel="Going to Google" onClick={() => submit()}>
        <span aria-hidden="true" className="size-5 bg-current mask-[url(/brands/google.svg)] mask-contain" />
        Continue with Google
      </Button>
      {refusal && (
        <Notice kind="error" title={refusal.message}>
          Nothing was changed. The form above works in any case.
        </Notice>
      )}
    </div>
  )
}
