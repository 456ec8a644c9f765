/** Displayed only after 0.3 s, so that short waits are not announced. */
export function Loading({ children = 'Loading' }: { children?: string }) {
  return (
    <p role="status" className="flex animate-late items-center gap-3 py-4 text-soft">
      <span aria-hidden="true" className="size-5 animate-spin rounded-full border-2 border-current border-r-transparent" />
      {children}
    </p>
  )
}
