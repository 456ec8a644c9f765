import { useContext } from 'react'
import { Nonce } from './nonce.ts'

/**
 * Runs a function of ours where it stands, before the page is painted. Only its text travels, so it may use nothing from outside itself.
 * What nobody calls in the browser is given on the server alone (`import.meta.env.SSR`), or its text would travel twice.
 * It carries the mark by which the Content-Security-Policy knows it, see `inline-scripts.ts`.
 */
export function InlineScript({ run }: { run: (() => void) | undefined }) {
  const nonce = useContext(Nonce)
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text is a function of this code, never what somebody sent
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: run ? `(${run})()` : '' }} />
}
