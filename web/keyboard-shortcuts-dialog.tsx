import { useSyncExternalStore } from 'react'
import { Icon } from './icon.tsx'
import { areShortcutsEnabled, setShortcutsEnabled, subscribeToShortcutSetting } from './keyboard-shortcuts.tsx'

const shortcuts = [
  { keys: ['/'], does: 'Search the shop, from anywhere' },
  { keys: ['\u2193', '\u2191'], does: 'In a table: to the next row, to the row before' },
  { keys: ['Home', 'End'], does: 'In a table: to the first row, to the last' },
  { keys: ['n', 'p'], does: 'In a table: to the next page, to the page before' },
  { keys: ['Esc'], does: 'Close what has opened' },
]

/** Lists the keyboard shortcuts, with a checkbox that disables the page-wide ones. Opens on mount. */
export default function ShortcutsDialog() {
  const on = useSyncExternalStore(subscribeToShortcutSetting, areShortcutsEnabled)
  return (
    <div
      id="shortcuts"
      ref={showOnMount}
      popover="auto"
      role="dialog"
      aria-labelledby="shortcuts-title"
      className="m-auto w-[calc(100%-2rem)] max-w-form rounded border border-line bg-panel p-6 text-ink shadow backdrop:bg-board/60"
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id="shortcuts-title" className="text-xl">
          Keyboard shortcuts
        </h2>
        <button
          type="button"
          popoverTarget="shortcuts"
          popoverTargetAction="hide"
          aria-label="Close"
          className="grid size-11 place-items-center rounded hover:bg-tint"
        >
          <Icon name="close" />
        </button>
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-3">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="figures rounded border border-edge px-1.5 text-sm">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-4 flex min-h-11 cursor-pointer items-center gap-3">
        <input type="checkbox" checked={on} onChange={({ target }) => setShortcutsEnabled(target.checked)} className="size-5 accent-leaf" />
        "/" searches from anywhere
      </label>
    </div>
  )
}

const showOnMount = (popover: HTMLDivElement | null) => popover?.showPopover()
