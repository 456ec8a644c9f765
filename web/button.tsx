import type { ComponentProps } from 'react'
import { Link } from './link.tsx'

type ButtonVariant = 'action' | 'offer' | 'quiet' | 'grave'

const denseClasses = 'text-sm whitespace-nowrap pointer-fine:min-h-8 pointer-fine:px-3 pointer-fine:py-1'

/**
 * Copper is the only action colour: filled for the one main action of a page, as an outline where many items offer the same action.
 * `grave` is for destructive actions. A `quiet` button with `aria-current` is the selected option.
 */
const variantClasses: Record<ButtonVariant, string> = {
  action: 'bg-copper text-on-copper hover:bg-copper-deep',
  offer: 'border border-copper bg-panel text-copper hover:bg-copper hover:text-on-copper',
  quiet:
    'border border-edge bg-panel text-ink hover:border-ink hover:bg-tint aria-[current]:border-leaf aria-[current]:bg-tint aria-[current]:text-leaf',
  grave: 'bg-bad text-ground hover:bg-ink',
}

const disabledClasses =
  'disabled:cursor-not-allowed disabled:border disabled:border-edge disabled:bg-tint disabled:text-soft aria-busy:disabled:cursor-progress'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** less high on devices with a mouse, for table rows */
  dense?: boolean
  /** in progress: disabled, with a spinner and `aria-busy` */
  busy?: boolean
  /** the label while busy, e.g. "Ordering"; without it the label does not change */
  busyLabel?: string
}

export function Button({
  variant = 'action',
  dense = false,
  busy = false,
  busyLabel,
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
      className={`button print:hidden ${dense ? denseClasses : ''} ${variantClasses[variant]} ${disabledClasses} ${className}`}
    >
      {busy && <Spinner />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<typeof Link> & { variant?: ButtonVariant; dense?: boolean }

/** A link that looks like a button. It prefetches its page on hover and focus. */
export function ButtonLink({ variant = 'action', dense = false, className = '', prefetch = 'intent', ...rest }: ButtonLinkProps) {
  return (
    <Link
      {...rest}
      prefetch={prefetch}
      className={`button print:hidden ${dense ? denseClasses : ''} ${variantClasses[variant]} ${className}`}
    />
  )
}

function Spinner() {
  return <span aria-hidden="true" className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
