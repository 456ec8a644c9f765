import type { ComponentProps } from 'react'
import { Link } from './link.tsx'

/**
 * A link within a text. It prefetches its page on hover and focus; one to the basket or the checkout may not: their data are not kept, so they
 * would be asked for twice.
 */
export function TextLink({ className = '', prefetch = 'intent', ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} prefetch={prefetch} className={`font-medium text-leaf underline underline-offset-2 hover:text-ink ${className}`} />
}
