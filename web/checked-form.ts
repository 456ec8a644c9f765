import { type FieldValues, type UseFormProps, type UseFormRegister, type UseFormReturn, useForm } from 'react-hook-form'

/**
 * A form that says what is wrong when it can be heard: a field that was typed into when it is left, a shown error at the key that cures it,
 * everything on submit. `register`, `handleSubmit` and the rest are react-hook-form's.
 */
export function useCheckedForm<Typed extends FieldValues, Context, Read>(
  settings: UseFormProps<Typed, Context, Read>,
): UseFormReturn<Typed, Context, Read> {
  const form = useForm({ ...settings, mode: 'onSubmit', reValidateMode: 'onSubmit' })
  const { formState, getFieldState, trigger } = form

  const register: UseFormRegister<Typed> = (name, rules) => {
    const field = form.register(name, rules)
    return {
      ...field,
      async onBlur(event) {
        await field.onBlur(event)
        if (getFieldState(name, formState).isDirty) await trigger(name)
      },
      async onChange(event) {
        await field.onChange(event)
        if (getFieldState(name, formState).error) await trigger(name)
      },
    }
  }
  return { ...form, register }
}
