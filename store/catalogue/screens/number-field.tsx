import type { ComponentProps } from 'react'
import { Field } from '#web/field.tsx'

/** Field for a price or quantity. Type text, because a number field would reject "1,250". */
export function NumberField({ inputMode = 'numeric', ...props }: Extract<ComponentProps<typeof Field>, { rows?: undefined }>) {
  return <Field {...props} inputMode={inputMode} autoComplete="off" className="figures" />
}
