import type { ComponentProps } from 'react'
import { Field } from '#web/field.tsx'

/** A field for a price or a number of pieces, typed as text: a number field would swallow "1,250". */
export function FigureField(props: Extract<ComponentProps<typeof Field>, { rows?: undefined }>) {
  return <Field {...props} inputMode="numeric" autoComplete="off" className="figures" />
}
