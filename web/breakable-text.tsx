import { Fragment } from 'react'

/** An e-mail address or a URL that wraps after `@`, `.` or `/` instead of within a word. */
export function BreakableText({ children }: { children: string }) {
  return children.split(/(?<=[@./])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
