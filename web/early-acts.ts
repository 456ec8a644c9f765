type Typed = HTMLInputElement | HTMLTextAreaElement

declare global {
  interface Window {
    /** the button pressed last and what was typed, as long as nothing in the page answers to it */
    early?: { button?: HTMLButtonElement; typed: Map<Typed, string> }
  }
}

/**
 * An inline script: a page is seen before its script has come, and what is pressed or typed meanwhile would be lost on a part that only the
 * script knows. Links, forms and what the browser opens by itself answer from the beginning, and the boxes of a form are its own.
 */
export function noteEarlyActs() {
  window.early = { typed: new Map() }
  addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element && target.closest<HTMLButtonElement>('button[type=button]:not([popovertarget])')
      if (button && window.early) window.early.button = button
    },
    { capture: true },
  )
  addEventListener(
    'input',
    ({ target }) => {
      const field =
        target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !/checkbox|radio|file/.test(target.type))
      if (field) window.early?.typed.set(target, target.value)
    },
    { capture: true },
  )
}

let taken: Window['early']

/** Right before React listens: what is done from here on it does itself, also while it takes over the page. */
export function takeEarlyActs() {
  taken = window.early
  delete window.early
}

/** Once the script has taken over the page: types and presses again what was typed and pressed before, where it is still there. */
export function repeatEarlyActs() {
  const { button, typed = new Map<Typed, string>() } = taken ?? {}
  taken = undefined
  for (const [field, text] of typed) {
    if (!field.isConnected) continue
    // React takes a change for one only if it has seen another value before; it sees what is set on the field itself, not past it.
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (button?.isConnected) button.click()
}
