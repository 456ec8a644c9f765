import { useState } from 'react'

/** Copies a text unchanged to the clipboard, e.g. a part number. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <span className="inline-flex items-center gap-x-2 print:hidden">
      <button
        type="button"
        onClick={() => copy().catch(() => {})}
        onBlur={() => setCopied(false)}
        aria-label={`Copy ${label}`}
        className="needs-script inline-flex min-h-11 items-center rounded px-1 text-sm font-medium text-leaf underline underline-offset-2 hover:text-ink pointer-fine:min-h-6"
      >
        Copy
      </button>
      <span role="status" className="text-sm text-good">
        {copied && 'Copied'}
      </span>
    </span>
  )
}
