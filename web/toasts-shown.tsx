import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { notificationMilliseconds } from '#store/constants.ts'
import { Icon } from './icon.tsx'
import { onToast, type ToastKind, takeWaiting } from './toast.tsx'

const atMost = 3
const manager = Toast.createToastManager()

const looks: Record<ToastKind, string> = { success: 'text-good', error: 'text-bad', warning: 'text-warn', info: 'text-leaf' }

/** The half of the toasts that only a page with news needs; `toast.tsx` fetches it. */
export default function ToastsShown() {
  useEffect(() => {
    const show = () => {
      // Never of high priority, which hides a notification from screen readers and still lets it take the focus: the page says it as an alert.
      for (const { message, kind, detail } of takeWaiting())
        manager.add({ title: message, description: detail, type: kind, priority: 'low' })
    }
    show()
    return onToast(show)
  }, [])

  return (
    <Toast.Provider toastManager={manager} timeout={notificationMilliseconds} limit={atMost}>
      {/* what lies beside and between the news can be pressed */}
      <Toast.Viewport className="pointer-events-none mt-4 mr-4 ml-auto flex w-[calc(100%-2rem)] max-w-96 flex-col gap-2">
        <List />
      </Toast.Viewport>
    </Toast.Provider>
  )
}

function List() {
  return Toast.useToastManager().toasts.map((shown) => (
    <Toast.Root
      key={shown.id}
      toast={shown}
      swipeDirection={['right', 'up']}
      className="pointer-events-auto rounded border border-line bg-panel p-3 text-ink shadow transition-opacity duration-150 data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3">
        <Icon name={(shown.type ?? 'info') as ToastKind} className={`mt-0.5 size-5 ${looks[(shown.type ?? 'info') as ToastKind]}`} />
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
