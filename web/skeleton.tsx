/**
 * Grey placeholder bars of the size of the loading content, so that the layout does not shift. Displayed after 0.3 s.
 * Hidden from screen readers: combine it with `Loading`.
 */
export function Skeleton({ rows, className = 'h-5' }: { rows: number; className?: string }) {
  return (
    <div aria-hidden="true" className="animate-late">
      <div className="flex animate-breathe flex-col gap-3">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical bars without state
          <span key={row} className={`block rounded bg-line ${row % 3 === 2 ? 'w-3/5' : 'w-full'} ${className}`} />
        ))}
      </div>
    </div>
  )
}

/** A placeholder of the final size for one loading element; for skeletons with the layout of a page. */
export function SkeletonBlock({ className }: { className: string }) {
  return <span aria-hidden="true" className={`block animate-late rounded bg-tint ${className}`} />
}
