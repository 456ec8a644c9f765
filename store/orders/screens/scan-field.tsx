import { type KeyboardEvent, useState } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { findScanned } from '#store/orders/shipments/packing.ts'
import type { LineToSend } from '#store/orders/shipments/to-send-contract.ts'
import { Field } from '#web/field.tsx'

type ScanFieldProps = {
  lines: LineToSend[]
  /** called with the pieces of each line once a piece was added */
  onPacked: (packed: number[]) => void
  /** the pieces of each line as they are typed now */
  readPacked: () => number[]
}

/**
 * A field that a scanner types into: Enter adds a piece to the line with that GTIN, part number or SKU, and "5x" before it five. With the first one counting begins at
 * nothing, as the quantities are filled in with all that is left.
 */
export function ScanField({ lines, onPacked, readPacked }: ScanFieldProps) {
  const [typed, setTyped] = useState('')
  const [hasScanned, setHasScanned] = useState(false)
  const [outcome, setOutcome] = useState<{ text: string; isWrong: boolean }>()

  function add() {
    if (typed.trim() === '') return
    const packed = hasScanned ? readPacked() : lines.map(() => 0)
    const scan = findScanned(lines, packed, typed)
    setTyped('')
    if (scan === 'unknown') return setOutcome({ text: `Nothing of this order has the code ${typed.trim()}`, isWrong: true })
    if (scan === 'all packed') return setOutcome({ text: `All that is left to send of ${typed.trim()} is in already`, isWrong: true })
    const line = lines[scan.index]
    if ('left' in scan)
      return setOutcome({ text: `Only ${formatNumber(scan.left)} x ${line?.productName} is left to send: none is added`, isWrong: true })
    const pieces = (packed[scan.index] ?? 0) + scan.pieces
    setHasScanned(true)
    setOutcome({ text: `${formatNumber(pieces)} of ${formatNumber(line?.toSend ?? 0)} x ${line?.productName}`, isWrong: false })
    onPacked(packed.with(scan.index, pieces))
  }

  return (
    <div>
      <Field
        label="Scan or type what goes into the parcel"
        hint="GTIN, part number or SKU, then Enter: it adds a piece, with 5x before it five. The first one begins the count at nothing"
        autoComplete="off"
        spellCheck={false}
        className="figures"
        value={typed}
        error={outcome?.isWrong ? outcome.text : undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          if (outcome?.isWrong) setOutcome(undefined) // it is about the code before
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Enter') return
          event.preventDefault() // the form is sent by its button
          add()
        }}
      />
      <p role="status" className="font-medium text-good">
        {outcome && !outcome.isWrong && outcome.text}
      </p>
    </div>
  )
}
