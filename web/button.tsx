import type { ComponentProps } from 'react'
import { Link } from 'react-router'

type Look = 'action' | 'offer' | 'quiet' | 'grave'

const shape =
  'relative inline-flex min-h-11 items-center justify-center gap-2 rounded px-4 py-2 text-center font-semibold no-underline transition-colors select-none print:hidden'

const low = 'text-sm whitespace-nowrap pointer-fine:min-h-8 pointer-fine:px-3 pointer-fine:py-1'

/** Copper is the one colour of action: filled where a page has one thing to do, as an outline where many things offer the same; grave where something is lost by it. A quiet one that says `aria-current` is the choice that is in force. */
const looks: Record<Look, string> = {
  action: 'bg-copper text-on-copper hover:bg-copper-deep',
  offer: 'border border-copper bg-panel text-copper hover:bg-copper hover:text-on-copper',
  quiet:
    'border border-edge bg-panel text-ink hover:border-ink hover:bg-tint aria-[current]:border-leaf aria-[current]:bg-tint aria-[current]:text-leaf',
  grave: 'bg-bad text-ground hover:bg-ink',
}

const off =
  'disabled:cursor-not-allowed disabled:border disabled:border-edge disabled:bg-tint disabled:text-soft aria-busy:disabled:cursor-progress'

type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  /** lower where a mouse points, for the rows of a table */
  dense?: boolean
  /** under way: cannot be pressed again, says so */
  busy?: boolean
  /** what is happening meanwhile, e.g. "Ordering"; without it the words stay */
  busyWords?: string
}

export function Button({
  look = 'action',
  dense = false,
  busy = false,
  busyWords,
  disabled,
  className = '',
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={`${shape} ${dense ? low : ''} ${looks[look]} ${off} ${className}`}
    >
      {busy && <Spinner />}
      {busy && busyWords ? busyWords : children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<typeof Link> & { look?: Look; dense?: boolean }

/** A link that looks like a button. It has fetched its page when the pointer comes to it. */
export function ButtonLink({ look = 'action', dense = false, className = '', prefetch = 'intent', ...rest }: ButtonLinkProps) {
  return <Link {...rest} prefetch={prefetch} className={`${shape} ${dense ? low : ''} ${looks[look]} ${className}`} />
}

function Spinner() {
  return <span aria-hidden="true" className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
