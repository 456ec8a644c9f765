import type { ComponentProps } from 'react'
import { Link } from 'react-router'

/** A link within a text. */
export function TextLink({ className = '', ...rest }: ComponentProps<typeof Link>) {
  return <Link {...rest} className={`font-medium text-leaf underline underline-offset-2 hover:text-ink ${className}`} />
}
