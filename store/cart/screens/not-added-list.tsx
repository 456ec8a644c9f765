import type { PastedLine } from '#store/cart/contract.ts'

/** Lines that were not put into the basket, each with its reason. */
export const NotAddedList = ({ lines }: { lines: PastedLine[] }) => (
  <ul className="list-disc pl-5">
    {lines.map(({ text, reason }) => (
      <li key={text}>
        <span className="break-words">{text}</span>: {reason}
      </li>
    ))}
  </ul>
)
