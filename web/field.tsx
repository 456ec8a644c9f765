import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

type FieldTexts = {
  label: string
  /** help text below the field: what to enter and why it is needed */
  hint?: ReactNode
  /** validation error and how to correct it; marks the field as invalid */
  error?: string | undefined
  /** appends "(optional)" to the label */
  optional?: boolean
  /** displayed before the control, e.g. "$" */
  startAdornment?: ReactNode
  /** displayed after the control in the same row, e.g. the buttons of a quantity */
  children?: ReactNode
}
type InputProps = FieldTexts & Omit<ComponentProps<'input'>, keyof FieldTexts> & { rows?: undefined }
type TextareaProps = FieldTexts & Omit<ComponentProps<'textarea'>, keyof FieldTexts> & { rows: number }

/** Font size of at least 16 px: iOS zooms in on smaller fields. Read-only and disabled fields have their own styles. */
const inputClasses =
  'block min-h-11 w-full min-w-0 rounded border border-edge bg-panel px-3 py-2 text-base text-ink hover:border-ink aria-invalid:border-2 aria-invalid:border-bad read-only:border-dashed read-only:border-line read-only:bg-tint read-only:hover:border-line disabled:cursor-not-allowed disabled:bg-tint disabled:text-soft disabled:hover:border-edge'

/**
 * A labelled field with hint and error: `<Field label="E-mail" type="email" error={errors.email?.message} {...register('email')} />`.
 * With `rows` it renders a textarea. With `type="password"` it has a button to show the password. A given `aria-describedby` is kept, and `aria-invalid`
 * for an error that stands elsewhere.
 */
export function Field(props: InputProps | TextareaProps) {
  const generatedId = useId()
  const id = props.id ?? generatedId
  const describedBy = [props.error && `${id}-error`, props.hint && `${id}-hint`, props['aria-describedby']].filter(Boolean).join(' ')
  const controlProps = {
    id,
    'aria-invalid': props.error ? (true as const) : props['aria-invalid'],
    'aria-describedby': describedBy || undefined,
  }

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {props.label}
        {props.optional && <span className="font-normal text-soft"> (optional)</span>}
      </label>
      <div className="flex items-stretch gap-2">
        {props.startAdornment && <span className="figures self-center text-soft">{props.startAdornment}</span>}
        <FieldControl {...props} {...controlProps} />
        {props.children}
      </div>
      {props.error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {props.error}
        </p>
      )}
      {props.hint && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {props.hint}
        </p>
      )}
    </div>
  )
}

function FieldControl(props: InputProps | TextareaProps) {
  if (props.rows !== undefined) {
    const { label, hint, error, optional, startAdornment, children, className = '', ...area } = props
    return <textarea {...area} className={`${inputClasses} ${className}`} />
  }
  const { label, hint, error, optional, startAdornment, children, className = '', rows, ...input } = props
  if (input.type === 'password') return <PasswordInput {...input} className={`${inputClasses} ${className}`} />
  return <input {...input} className={`${inputClasses} ${className}`} />
}

function PasswordInput(props: ComponentProps<'input'>) {
  const [visible, setVisible] = useState(false)
  return (
    <div className="relative grow">
      <input
        {...props}
        type={visible ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={`${props.className} pr-12`}
      />
      <button
        type="button"
        onClick={() => setVisible(!visible)}
        aria-label={visible ? 'Hide password' : 'Show password'}
        aria-controls={props.id}
        className="needs-script absolute inset-y-0 right-0 grid w-11 place-items-center rounded text-soft hover:text-ink"
      >
        <Icon name={visible ? 'eye-off' : 'eye'} />
      </button>
    </div>
  )
}
