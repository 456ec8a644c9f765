import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * Opens the menu with this id, which is collapsed on narrow screens: `<div id="..." popover="auto" className="max-md:sheet md:unfolded">`.
 * The browser's popover does most of this, even before hydration: Esc, a click outside and the phone's Back close it, the focus returns to
 * the button, and opening one menu closes the other. It also closes on navigation, when the screen becomes wide, and when the focus leaves
 * it, because it would cover the focused element.
 */
export function MenuButton({ menuId, className = '', children }: { menuId: string; className?: string; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { key } = useLocation()

  useEffect(() => {
    const syncOpen = () => setOpen(isMenuOpen(menuId))
    const closeIfUnfolded = () => {
      if (!button.current?.checkVisibility()) closeMenu(menuId)
    }
    const closeIfFocusLeft = ({ target }: FocusEvent) => {
      const menu = document.getElementById(menuId)
      if (target instanceof Node && menu && !menu.contains(target) && !button.current?.contains(target)) closeMenu(menuId)
    }
    syncOpen() // it may have been opened before hydration
    document.addEventListener('toggle', syncOpen, true) // does not bubble
    document.addEventListener('focusin', closeIfFocusLeft)
    window.addEventListener('resize', closeIfUnfolded)
    return () => {
      document.removeEventListener('toggle', syncOpen, true)
      document.removeEventListener('focusin', closeIfFocusLeft)
      window.removeEventListener('resize', closeIfUnfolded)
    }
  }, [menuId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the location key is not used, but a change of it must run the cleanup
  useEffect(() => () => closeMenu(menuId), [key, menuId])

  return (
    <button
      ref={button}
      type="button"
      popoverTarget={menuId}
      aria-controls={menuId}
      aria-expanded={open}
      className={`min-h-11 rounded border border-current px-3 font-medium whitespace-nowrap ${className}`}
    >
      {children}
    </button>
  )
}

const isMenuOpen = (menuId: string) => document.getElementById(menuId)?.matches(':popover-open') ?? false

function closeMenu(menuId: string): void {
  if (isMenuOpen(menuId)) document.getElementById(menuId)?.hidePopover()
}
