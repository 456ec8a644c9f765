import { CopyButton } from '#web/copy-button.tsx'

/** A text that people carry elsewhere, such as a part number, with a button that copies it as it stands. */
export function Copied({ label, text }: { label: string; text: string }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="figures font-medium select-all [overflow-wrap:anywhere]">{text}</span>
      <CopyButton label={label} text={text} />
    </span>
  )
}
