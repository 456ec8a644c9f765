import { useContext } from 'react'
import { NonceContext } from './nonce-context.ts'

/**
 * Runs a function as an inline script, before the page is painted. Only its source text is sent, so it must not reference outer scope.
 * A function that the client code does not call is passed on the server only (`import.meta.env.SSR`), or its text would be sent twice.
 * The nonce marks it for the Content-Security-Policy, see `finish-html.ts`.
 */
export function InlineScript({ run }: { run: (() => void) | undefined }) {
  const nonce = useContext(NonceContext)
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is the source of a function in this code, never user input
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: run ? `(${run})()` : '' }} />
}
