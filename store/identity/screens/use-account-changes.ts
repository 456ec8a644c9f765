import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { type Account, makeAdmin, removeUser, revokeAdmin } from '#store/identity/contract.ts'
import { ApiError } from '#web/api-error.ts'
import { callApi } from '#web/call-api.ts'
import { focusTargetInNextRow } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import type { AccountAction, SignInFailureMessage } from './account-row.tsx'

const removedMessage = 'Account removed'
const madeAdminMessage = 'Made an admin'
const adminRevokedMessage = 'Admin role taken back'
const restoredMessage = 'Account brought back'
const limitsLiftedMessage = 'Limits lifted'
const limitsRestoredMessage = 'Limits put back'

type PendingConfirmation = { action: AccountAction; account: Account; button: HTMLElement; open: boolean }

export type AccountChanges = ReturnType<typeof useAccountChanges>

/** What an admin does with accounts: asked for, confirmed, sent, told, and where the focus goes then. */
export function useAccountChanges() {
  const { revalidate } = useRevalidator()
  const [pending, setPending] = useState<PendingConfirmation>()
  const { done, setDone, announce, showLimits, showRestored } = useDoneMessage()
  const [failure, setFailure] = useState<SignInFailureMessage & { email: string }>()
  const [madeAdminEmail, setMadeAdminEmail] = useState<string>()
  const table = useRef<HTMLDivElement>(null)
  const focusAfterDialog = useRef<HTMLElement>(null)
  const madeAdminRef = useRef<HTMLElement>(null)

  const actions: Record<AccountAction, (account: Account, button: HTMLElement) => Promise<void>> = {
    async 'make admin'({ email }) {
      try {
        const { modifiedCount } = await callApi(makeAdmin, { params: { email } })
        setMadeAdminEmail(email)
        focusAfterDialog.current = null // the button is gone: the badge in its place takes the focus
        // 0: another admin did it first
        if (modifiedCount > 0) announce(madeAdminMessage, email, `${email} manages users, products and orders from now on.`)
        await revalidate()
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 'not_signed_in') throw error
        const makeFailure = makeAdminFailure(error, email)
        toast(makeFailure.message, { kind: 'error', detail: makeFailure.nextStep })
        setFailure({ ...makeFailure, email })
      }
    },
    async 'take back'({ email }) {
      await callApi(revokeAdmin, { params: { email } })
      focusAfterDialog.current = table.current
      setMadeAdminEmail(undefined)
      announce(adminRevokedMessage, email, `${email} is a customer from now on, and was signed out everywhere.`)
      await revalidate()
    },
    async remove({ email }, button) {
      await callApi(removeUser, { params: { email } })
      focusAfterDialog.current = focusTargetInNextRow(button) ?? table.current
      announce(removedMessage, email, `${email} can no longer sign in. It can be brought back below.`)
      await revalidate()
    },
  }

  return {
    ...{ table, done, failure, madeAdminEmail, madeAdminRef, pending, showLimits, showRestored },
    ask(action: AccountAction, account: Account, button: HTMLElement) {
      setDone(undefined)
      setFailure(undefined)
      focusAfterDialog.current = button
      setPending({ action, account, button, open: true })
    },
    async confirm(asked: PendingConfirmation) {
      await actions[asked.action](asked.account, asked.button)
      setPending({ ...asked, open: false })
    },
    cancel: () => pending && setPending({ ...pending, open: false }),
    focusAfterClose: () => focusAfterDialog.current ?? madeAdminRef.current,
  }
}

/** What was done to an account, said on the page and in a toast. */
function useDoneMessage() {
  const { revalidate } = useRevalidator()
  const [done, setDone] = useState<{ words: string; what: string }>()

  function announce(words: string, email: string, what: string) {
    setDone({ words, what })
    toast(words, { detail: email })
  }

  async function showLimits({ email, limitsLifted }: Account) {
    announce(
      limitsLifted ? limitsLiftedMessage : limitsRestoredMessage,
      email,
      limitsLifted ? `${email} orders without the limits of buyers from now on.` : `The usual limits of buyers hold for ${email} again.`,
    )
    await revalidate()
  }

  async function showRestored({ email }: Account) {
    announce(restoredMessage, email, `${email} can sign in again, as a customer.`)
    await revalidate()
  }

  return { done, setDone, announce, showLimits, showRestored }
}

const makeAdminFailure = ({ code, message }: ApiError, email: string): SignInFailureMessage =>
  code === 'forbidden'
    ? {
        message: 'Failed to make admin',
        nextStep: `${email} is no admin yet. Reload the page to see whether you still are one, then press Make Admin again.`,
      }
    : { message, nextStep: `${email} may not be an admin yet. Reload the page to see, then press Make Admin again if needed.` }
