import { useRef, useSyncExternalStore } from 'react'
import type { FieldPath, FieldValues, UseFormRegisterReturn, UseFormReturn } from 'react-hook-form'

const never = () => () => {}

/** False until the page's script runs: until then the browser's own checks stand in for ours. */
export const useScript = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** For `useForm`: the form itself checks on submit only, `useTimely` decides the rest. */
export const timely = { mode: 'onSubmit', reValidateMode: 'onSubmit' } as const

/**
 * Registers fields that speak at the right moment: on leaving a field after something was typed there, and on submit. What is shown goes at the
 * key that cures it. Nobody is told off for passing through an empty field.
 */
export function useTimely<Typed extends FieldValues, Read>(form: UseFormReturn<Typed, unknown, Read>) {
  const entered = useRef(new Set<string>())
  return <Name extends FieldPath<Typed>>(name: Name): UseFormRegisterReturn<Name> =>
    form.register(name, {
      onChange: () => {
        entered.current.add(name)
        if (form.getFieldState(name).error) form.trigger(name)
      },
      onBlur: () => {
        if (entered.current.has(name)) afterPress(() => form.trigger(name))
      },
    })
}

/**
 * At once, or when the press that is under way is over: a message that comes between pressing and letting go moves the button away from under
 * the pointer, and its click is lost.
 */
function afterPress(say: () => void) {
  const pressed = document.querySelector(':active') !== null
  if (!pressed) return say()
  window.addEventListener('pointerup', () => setTimeout(say), { once: true })
}
