import { Toast } from '@base-ui/react/toast'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { subscribeToToasts, type ToastKind, takePendingToasts } from './toast.tsx'

const maxToasts = 3
const displayMs = 5000
const toastManager = Toast.createToastManager()

const kindClasses: Record<ToastKind, string> = { success: 'text-good', error: 'text-bad', warning: 'text-warn', info: 'text-leaf' }

/** Renders the toasts. `toast.tsx` loads it when the first toast is triggered. */
export default function ToastList() {
  useEffect(() => {
    const show = () => {
      // Not high priority, which hides the toast from screen readers but keeps it focusable. The page displays the message as an alert.
      for (const { message, kind, detail } of takePendingToasts())
        toastManager.add({ title: message, description: detail, type: kind, priority: 'low' })
    }
    show()
    return subscribeToToasts(show)
  }, [])

  return (
    <Toast.Provider toastManager={toastManager} timeout={displayMs} limit={maxToasts}>
      <PlacedViewport />
    </Toast.Provider>
  )
}

function PlacedViewport() {
  const { toasts } = Toast.useToastManager()
  const list = useRef<HTMLDivElement>(null)
  const isAtBottom = useIsAtBottom(list, toasts.length)
  return (
    // the page stays clickable beside and between the toasts
    <Toast.Viewport
      ref={list}
      className={`pointer-events-none flex w-[calc(100%-2rem)] max-w-96 flex-col gap-2 ${isAtBottom ? 'fixed right-4 bottom-4' : 'mt-4 mr-4 ml-auto'}`}
    >
      <ToastItems toasts={toasts} />
    </Toast.Viewport>
  )
}

/** What a toast must not cover: the focused element, and the main actions of the page. */
const keptInView = 'main :is([type=submit], .bg-copper)'
const marginPx = 16

/**
 * Whether the toasts stand at the bottom, on a window so narrow that they take its whole width: where they would cover at the top what must be
 * kept in view, and not at the bottom. Decided for each new toast, and as the focus moves.
 */
function useIsAtBottom(list: RefObject<HTMLDivElement | null>, count: number): boolean {
  const [isAtBottom, setIsAtBottom] = useState(false)
  useEffect(() => {
    if (count === 0) return setIsAtBottom(false)
    const place = () => {
      const anchor = list.current?.parentElement
      if (!anchor || !list.current || !matchMedia('(width < 40rem)').matches) return setIsAtBottom(false)
      const height = list.current.offsetHeight
      const kept = [document.activeElement, ...document.querySelectorAll(keptInView)]
        .filter((element) => element && element !== document.body && !list.current?.contains(element))
        .map((element) => element?.getBoundingClientRect())
      const covers = (top: number) => kept.some((box) => box && box.height > 0 && box.bottom > top && box.top < top + height)
      setIsAtBottom(covers(anchor.getBoundingClientRect().top + marginPx) && !covers(innerHeight - marginPx - height))
    }
    const frame = requestAnimationFrame(place) // after the focus has moved to the notice of the page
    document.addEventListener('focusin', place)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('focusin', place)
    }
  }, [list, count])
  return isAtBottom
}

type ToastItem = ReturnType<typeof Toast.useToastManager>['toasts'][number]

function ToastItems({ toasts }: { toasts: ToastItem[] }) {
  return toasts.map((item) => (
    <Toast.Root
      key={item.id}
      toast={item}
      swipeDirection={['right', 'up']}
      className="pointer-events-auto rounded border border-line bg-panel p-3 text-ink shadow transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3">
        <Icon name={(item.type ?? 'info') as ToastKind} className={`mt-0.5 size-5 ${kindClasses[(item.type ?? 'info') as ToastKind]}`} />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-semibold" />
          <Toast.Description className="text-sm text-soft" />
        </div>
        <Toast.Close aria-label="Close" className="-m-2 grid size-11 place-items-center rounded text-soft hover:text-ink">
          <Icon name="close" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
