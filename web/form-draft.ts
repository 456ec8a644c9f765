import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Saves the values of a form in session storage, so that they survive a reload, a sign-in and an error.
 * @param draft storage key, if there is one; must include the account, since another user may sign in in the same tab
 */
export function useDraft<Typed extends FieldValues, Checked>(
  form: UseFormReturn<Typed, unknown, Checked>,
  draft: string | undefined,
): void {
  const { subscribe } = form
  useEffect(
    () =>
      draft === undefined
        ? undefined
        : subscribe({
            formState: { values: true },
            // `name` is undefined on a reset, which is not user input.
            callback: ({ name, values }) => name && saveDraft(draft, values),
          }),
    [subscribe, draft],
  )
}

export const saveDraft = (draft: string, values: object): void => sessionStorage.setItem(draft, JSON.stringify(values))

/** The saved draft, to be merged over the default values of the form. */
export const loadDraft = <Typed extends FieldValues>(draft: string): Partial<Typed> => JSON.parse(sessionStorage.getItem(draft) ?? '{}')

export const clearDraft = (draft: string): void => sessionStorage.removeItem(draft)
