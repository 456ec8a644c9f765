type TextControl = HTMLInputElement | HTMLTextAreaElement

declare global {
  interface Window {
    /** the last clicked button and the typed values, recorded until hydration */
    preHydrationEvents?: { button?: HTMLButtonElement; typed: Map<TextControl, string> }
  }
}

/**
 * Inline script. A page is visible before its scripts have loaded, and clicks and input on controls that need them would be lost.
 * Links, forms and popovers work without scripts, and checkboxes, radio buttons and file inputs keep their own state.
 */
export function recordPreHydrationEvents() {
  window.preHydrationEvents = { typed: new Map() }
  addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element && target.closest<HTMLButtonElement>('button[type=button]:not([popovertarget])')
      if (button && window.preHydrationEvents) window.preHydrationEvents.button = button
    },
    { capture: true },
  )
  addEventListener(
    'input',
    ({ target }) => {
      const field =
        target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !/checkbox|radio|file/.test(target.type))
      if (field) window.preHydrationEvents?.typed.set(target, target.value)
    },
    { capture: true },
  )
}

let recordedEvents: Window['preHydrationEvents']

/** Called right before hydration starts: from then on React itself handles events, also during hydration. */
export function stopPreHydrationRecording() {
  recordedEvents = window.preHydrationEvents
  delete window.preHydrationEvents
}

/** Called after hydration: dispatches the recorded input and click again, if the elements are still in the document. */
export function replayPreHydrationEvents() {
  const { button, typed = new Map<TextControl, string>() } = recordedEvents ?? {}
  recordedEvents = undefined
  for (const [field, text] of typed) {
    if (!field.isConnected) continue
    // React ignores an input event unless the value differs from the last one it tracked. It tracks values set on the element itself,
    // but not those set with the prototype's setter.
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (button?.isConnected) button.click()
}
