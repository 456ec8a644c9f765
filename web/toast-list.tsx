import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
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
      {/* the page stays clickable beside and between the toasts */}
      <Toast.Viewport className="pointer-events-none mt-4 mr-4 ml-auto flex w-[calc(100%-2rem)] max-w-96 flex-col gap-2">
        <ToastItems />
      </Toast.Viewport>
    </Toast.Provider>
  )
}

function ToastItems() {
  return Toast.useToastManager().toasts.map((item) => (
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
