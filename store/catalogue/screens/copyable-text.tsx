import { CopyButton } from '#web/copy-button.tsx'

/** A text such as a part number, with a button that copies it. */
export function CopyableText({ label, text }: { label: string; text: string }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="figures font-medium select-all [overflow-wrap:anywhere]">{text}</span>
      <CopyButton label={label} text={text} />
    </span>
  )
}
