import { useRef } from 'react'
import { type FieldPath, type FieldValues, type UseFormProps, type UseFormRegister, type UseFormReturn, useForm } from 'react-hook-form'

/**
 * `useForm` with other validation timing: an edited field is validated on blur, a field with an error on every change, all fields on
 * submit. `clearErrors` without a name also discards pending validations, for a form that switches to other fields. Everything else is
 * react-hook-form's.
 */
export function useValidatedForm<Typed extends FieldValues, Context, Read>(
  settings: UseFormProps<Typed, Context, Read>,
): UseFormReturn<Typed, Context, Read> {
  const form = useForm({ ...settings, mode: 'onSubmit', reValidateMode: 'onSubmit' })
  const { formState, getFieldState, trigger } = form
  const cleared = useRef(0)
  const typedInto = useRef(new Set<FieldPath<Typed>>()) // `dirtyFields` would miss fields that were emptied again

  const register: UseFormRegister<Typed> = (name, rules) => {
    const field = form.register(name, rules)
    return {
      ...field,
      async onBlur(event) {
        await field.onBlur(event)
        if (!typedInto.current.has(name)) return
        const before = cleared.current
        await pointerReleased()
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

/** Resolves when the click that blurred the field is over. An error displayed earlier would move the button and the click would miss it. */
async function pointerReleased(): Promise<void> {
  if (!document.querySelector('button:active')) return
  await new Promise((resolve) => addEventListener('pointerup', () => setTimeout(resolve), { once: true }))
}
