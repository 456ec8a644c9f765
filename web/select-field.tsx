import { type ComponentProps, useId } from 'react'
import { Icon } from './icon.tsx'

type SelectFieldProps = Omit<ComponentProps<'select'>, 'children'> & {
  label: string
  options: { value: string; label: string }[]
  hint?: string
  error?: string | undefined
}

/** A labelled choice of one of several options, with hint and error like a `Field`. */
export function SelectField({ label, options, hint, error, ...select }: SelectFieldProps) {
  const generatedId = useId()
  const id = select.id ?? generatedId
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={[error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
        className="min-h-11 w-full min-w-0 rounded border border-edge bg-panel px-3 text-base text-ink hover:border-ink aria-invalid:border-2 aria-invalid:border-bad"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  )
}
