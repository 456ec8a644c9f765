import type { ToolOnShelf } from './on-shelf.ts'

type MakerAndNumberProps = { tool: Pick<ToolOnShelf, 'brand' | 'mpn'>; className?: string }

/** Who made it, and its part number as printed on it: every sign of it can matter. */
export function MakerAndNumber({ tool: { brand, mpn }, className = '' }: MakerAndNumberProps) {
  if (!brand && !mpn) return null
  return (
    <p className={`text-soft ${className}`}>
      {brand} {mpn && <span className="figures select-all">{mpn}</span>}
    </p>
  )
}
