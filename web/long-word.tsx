import { Fragment } from 'react'

/** An e-mail or an address, which a narrow place breaks after one of its signs, not within a word. */
export function LongWord({ children }: { children: string }) {
  return children.split(/(?<=[@./])/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same parts always stand in the same places
    <Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
