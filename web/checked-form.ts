import { useRef } from 'react'
import { type FieldPath, type FieldValues, type UseFormProps, type UseFormRegister, type UseFormReturn, useForm } from 'react-hook-form'

/**
 * A form that says what is wrong when it can be heard: a field that was typed into when it is left, a shown error at the key that cures it,
 * everything on submit. `clearErrors` without a name also stops what is being checked: something else is asked now. `register`, `handleSubmit` and the rest are react-hook-form's.
 */
export function useCheckedForm<Typed extends FieldValues, Context, Read>(
  settings: UseFormProps<Typed, Context, Read>,
): UseFormReturn<Typed, Context, Read> {
  const form = useForm({ ...settings, mode: 'onSubmit', reValidateMode: 'onSubmit' })
  const { formState, getFieldState, trigger } = form
  const cleared = useRef(0)
  const typedInto = useRef(new Set<FieldPath<Typed>>()) // also what was emptied again, which is not dirty

  const register: UseFormRegister<Typed> = (name, rules) => {
    const field = form.register(name, rules)
    return {
      ...field,
      async onBlur(event) {
        await field.onBlur(event)
        if (!typedInto.current.has(name)) return
        const before = cleared.current
        await pressed()
        if (cleared.current !== before) return
        await trigger(name)
        if (cleared.current !== before) form.clearErrors(name)
      },
      async onChange(event) {
        typedInto.current.add(name)
        await field.onChange(event)
        if (getFieldState(name, formState).error) await trigger(name)
      },
    }
  }
  const clearErrors: typeof form.clearErrors = (name) => {
    if (name === undefined) cleared.current++
    form.clearErrors(name)
  }
  return { ...form, register, clearErrors }
}

/** When the press that left the field is over: an error that appeared before would move the button from under it, and nothing would happen. */
async function pressed(): Promise<void> {
  if (!document.querySelector('button:active')) return
  await new Promise((over) => addEventListener('pointerup', () => setTimeout(over), { once: true }))
}
