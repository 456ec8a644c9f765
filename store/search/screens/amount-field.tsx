import type { ReactNode } from 'react'

type AmountFieldProps = {
  name: string
  /** what the amount is of, where `before` does not say it; read out only */
  of?: string
  before: string
  after?: ReactNode
  value: string | undefined
  /** id of the text that says what is wrong with the value */
  errorId: string | undefined
}

/** A field within a sentence. Type text, because a number field would reject "1,250". */
export function AmountField({ name, of, before, after, value = '', errorId }: AmountFieldProps) {
  return (
    <label className="flex min-h-8 min-w-0 grow basis-24 items-center gap-2">
      <span className="shrink-0">
        {of && <span className="sr-only">{of} </span>}
        {before}
      </span>
      <input
        name={name}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={value}
        aria-invalid={!!errorId || undefined}
        aria-describedby={errorId}
        className="figures min-h-9 w-12 min-w-0 grow rounded border border-edge bg-panel px-2 text-base text-ink hover:border-ink aria-invalid:border-bad"
      />
      {after}
    </label>
  )
}

/** Announced when it appears: the field is left then, so that its description would not be read. */
export function AmountError({ id, children }: { id: string | undefined; children: string | undefined }) {
  return (
    <p id={id} role="status" className="font-medium text-bad empty:hidden">
      {children}
    </p>
  )
}
