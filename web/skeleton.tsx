/** Grey bars in the place of what is on its way, of its size, so that nothing moves when it comes. Shown after a glance (0.3 s); a Loading beside it says the words. */
export function Skeleton({ rows, className = 'h-5' }: { rows: number; className?: string }) {
  return (
    <div aria-hidden="true" className="animate-late">
      <div className="flex animate-breathe flex-col gap-3">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          <span key={row} className={`block rounded bg-line ${row % 3 === 2 ? 'w-3/5' : 'w-full'} ${className}`} />
        ))}
      </div>
    </div>
  )
}

/** The place of one thing that is on its way, as large as it will be; for skeletons that follow a page's own arrangement. */
export function Blank({ className }: { className: string }) {
  return <span aria-hidden="true" className={`block animate-late rounded bg-tint ${className}`} />
}
