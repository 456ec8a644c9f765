import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { Icon } from './icon.tsx'

type Words = {
  label: string
  /** stays visible under the field: what to enter, why it is asked */
  hint?: ReactNode
  /** what is wrong and how to mend it; the field is then marked as invalid */
  error?: string | undefined
  /** says "(optional)" beside the label */
  optional?: boolean
  /** stands before the control, e.g. "$" */
  before?: ReactNode
  /** stands after the control in its row, e.g. the buttons of a quantity */
  children?: ReactNode
}
type InputProps = Words & Omit<ComponentProps<'input'>, keyof Words> & { rows?: undefined }
type AreaProps = Words & Omit<ComponentProps<'textarea'>, keyof Words> & { rows: number }

/** 16 px or more, else phones zoom in. A field that cannot be changed has no box to type into. */
const box =
  'block min-h-11 w-full min-w-0 rounded border border-edge bg-panel px-3 py-2 text-base text-ink hover:border-ink aria-invalid:border-2 aria-invalid:border-bad read-only:border-dashed read-only:border-line read-only:bg-tint read-only:hover:border-line disabled:cursor-not-allowed disabled:bg-tint disabled:text-soft disabled:hover:border-edge'

/**
 * A labelled field with its hint and its error: `<Field label="E-mail" type="email" error={errors.email?.message} {...register('email')} />`.
 * With `rows` it is a text area, with `type="password"` it can show what was typed. An outer `aria-describedby` is kept.
 */
export function Field(props: InputProps | AreaProps) {
  const made = useId()
  const id = props.id ?? made
  const described = [props.error && `${id}-error`, props.hint && `${id}-hint`, props['aria-describedby']].filter(Boolean).join(' ')
  const wiring = { id, 'aria-invalid': props.error ? (true as const) : undefined, 'aria-describedby': described || undefined }

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {props.label}
        {props.optional && <span className="font-normal text-soft"> (optional)</span>}
      </label>
      <div className="flex items-stretch gap-2">
        {props.before && <span className="figures self-center text-soft">{props.before}</span>}
        <Control {...props} {...wiring} />
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

function Control(props: InputProps | AreaProps) {
  if (props.rows !== undefined) {
    const { label, hint, error, optional, before, children, className = '', ...area } = props
    return <textarea {...area} className={`${box} ${className}`} />
  }
  const { label, hint, error, optional, before, children, className = '', rows, ...input } = props
  if (input.type === 'password') return <Password {...input} className={`${box} ${className}`} />
  return <input {...input} className={`${box} ${className}`} />
}

function Password(props: ComponentProps<'input'>) {
  const [shown, show] = useState(false)
  return (
    <div className="relative grow">
      <input
        {...props}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={`${props.className} pr-12`}
      />
      <button
        type="button"
        onClick={() => show(!shown)}
        aria-label={shown ? 'Hide password' : 'Show password'}
        aria-controls={props.id}
        className="needs-script absolute inset-y-0 right-0 grid w-11 place-items-center rounded text-soft hover:text-ink"
      >
        <Icon name={shown ? 'eye-off' : 'eye'} />
      </button>
    </div>
  )
}
