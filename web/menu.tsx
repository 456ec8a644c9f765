import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Opens the menu with this id, which is folded away where there is no room for it: `<div id="..." popover="auto" className="max-md:sheet md:unfolded">`.
 * The browser's popover does most of it, even before our script runs: Esc, a press beside it and the phone's Back close it, the focus returns
 * to the button, and opening one menu closes the other. Going to another page closes it too, and so do a screen that has become wide and a focus that has left it,
 * which it would lie above.
 */
export function MenuButton({ opens, className = '', children }: { opens: string; className?: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { key } = useLocation()

  useEffect(() => {
    const look = () => setOpen(isOpen(opens))
    const closeWhereUnfolded = () => {
      if (!button.current?.checkVisibility()) close(opens)
    }
    const closeWhereLeft = ({ target }: FocusEvent) => {
      const menu = document.getElementById(opens)
      if (target instanceof Node && menu && !menu.contains(target) && !button.current?.contains(target)) close(opens)
    }
    look() // it may have been opened before this script was there
    document.addEventListener('toggle', look, true) // does not bubble
    document.addEventListener('focusin', closeWhereLeft)
    window.addEventListener('resize', closeWhereUnfolded)
    return () => {
      document.removeEventListener('toggle', look, true)
      document.removeEventListener('focusin', closeWhereLeft)
      window.removeEventListener('resize', closeWhereUnfolded)
    }
  }, [opens])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key of the place is not used, its change is what counts
  useEffect(() => () => close(opens), [key, opens])

  return (
    <button
      ref={button}
      type="button"
      popoverTarget={opens}
      aria-controls={opens}
      aria-expanded={open}
      className={`min-h-11 rounded border border-current px-3 font-medium whitespace-nowrap ${className}`}
    >
      {children}
    </button>
  )
}

const isOpen = (menu: string) => document.getElementById(menu)?.matches(':popover-open') ?? false

function close(menu: string): void {
  if (isOpen(menu)) document.getElementById(menu)?.hidePopover()
}
