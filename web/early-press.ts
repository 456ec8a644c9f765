declare global {
  interface Window {
    /** the button pressed last, as long as nothing in the page answers to a press */
    pressedEarly?: HTMLButtonElement | null
  }
}

/**
 * An inline script: a page is seen before its script has come, and a press on a button that only the script knows would be lost.
 * Links, forms and what the browser opens by itself answer from the beginning.
 */
export function notePresses() {
  window.pressedEarly = null
  addEventListener(
    'click',
    ({ target }) => {
      const button = target instanceof Element && target.closest<HTMLButtonElement>('button[type=button]:not([popovertarget])')
      if (button && window.pressedEarly !== undefined) window.pressedEarly = button
    },
    { capture: true },
  )
}

/** Once the script has taken over the page: does what was pressed last, if it is still there to be pressed. */
export function pressAgain() {
  const button = window.pressedEarly
  delete window.pressedEarly
  if (button?.isConnected) button.click()
}
