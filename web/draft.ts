import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Keeps what is typed into a form in this tab, where it survives a reload, a detour to the sign-in and a failure.
 * @param draft the name of the draft: it has to name the account too, since whoever signs in next in this tab types their own
 */
export function useDraft<Typed extends FieldValues, Checked>(form: UseFormReturn<Typed, unknown, Checked>, draft: string): void {
  const { subscribe } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        // Without a name nobody typed: the form was reset.
        callback: ({ name, values }) => name && sessionStorage.setItem(draft, JSON.stringify(values)),
      }),
    [subscribe, draft],
  )
}

/** What was typed before and not sent, to be laid over the first values of the form. */
export const keptDraft = <Typed extends FieldValues>(draft: string): Partial<Typed> => JSON.parse(sessionStorage.getItem(draft) ?? '{}')

export const forgetDraft = (draft: string): void => sessionStorage.removeItem(draft)
