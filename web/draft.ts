import { useEffect, useRef } from 'react'
import { type FieldValues, type UseFormReturn, useWatch } from 'react-hook-form'

/** What is typed into this form survives a reload, a detour to the sign-in and a failure, in this tab and under this key. */
export function useDraft<Typed extends FieldValues, Read>(form: UseFormReturn<Typed, unknown, Read>, key: string): void {
  const typed = JSON.stringify(useWatch({ control: form.control }))
  const kept = useRef(typed) // a form that nobody touched leaves no draft
  useEffect(() => {
    if (typed === kept.current) return
    kept.current = typed
    sessionStorage.setItem(key, typed)
  }, [typed, key])
}

/** What was typed under this key and not sent yet, to be spread over a form's default values. */
export const keptDraft = <Typed extends FieldValues>(key: string): Partial<Typed> => JSON.parse(sessionStorage.getItem(key) ?? '{}')
