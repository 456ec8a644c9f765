import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** A link within a text. It has fetched its page when the pointer comes to it. */
export function TextLink({ className = '', prefetch = 'intent', ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} prefetch={prefetch} className={`font-medium text-leaf underline underline-offset-2 hover:text-ink ${className}`} />
}
