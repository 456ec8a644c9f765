/// <reference lib="dom" />
import type { MessageFromChallenge } from './messages.ts'

/**
 * The script of the bank's 3-D Secure page: either in the library's dialog, which it notifies of the answer, or as a separate page that
 * redirects back to the shop. It is serialized with `toString()`, so it must not reference anything outside its body.
 */
export function challengeProgram(): void {
  const given = new URLSearchParams(location.hash.slice(1))
  const parentOrigin = given.get('parent') ?? ''
  const framed = window.parent !== window
  // The same origins as in frame-ancestors. No messages are sent to others.
  if (framed && !/^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(parentOrigin)) return

  function part<Type extends HTMLElement>(id: string, type: new () => Type): Type {
    const found = document.getElementById(id)
    if (!(found instanceof type)) throw new Error(`The page has no ${id}`)
    return found
  }

  const buttons = [part('complete', HTMLButtonElement), part('fail', HTMLButtonElement)]
  const choices = part('choices', HTMLElement)
  const trouble = part('trouble', HTMLElement)
  const theme = given.get('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

  function tell(message: MessageFromChallenge) {
    if (framed) window.parent.postMessage(message, parentOrigin)
  }

  const room = choices.closest('main')
  const height = new ResizeObserver(() => {
    if (room) tell({ challenge: location.pathname, tell: 'height', heightPx: room.getBoundingClientRect().height })
  })
  /** From now on the dialog is as high as the page. Until the question stands it keeps the height that it opens with. */
  function followHeight() {
    if (room) height.observe(room)
  }

  function over() {
    followHeight()
    choices.hidden = true
    trouble.textContent = 'This question is over. Go back to the shop to see how the payment stands.'
    tell({ challenge: location.pathname, tell: 'answered' })
  }

  async function ask() {
    try {
      const response = await fetch(`${location.pathname}/question`)
      if (response.status === 404) return over()
      const { amount, currency, brand, last4 } = await response.json()
      const sum = (amount / 100).toLocaleString('en-US', { style: 'currency', currency })
      const card = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }[String(brand)] ?? ''
      part('question', HTMLElement).textContent = `Pay ${sum} with your ${card} card ending in ${last4}?`
    } catch {
      trouble.textContent = 'The test bank did not answer. You can try all the same.'
    }
    followHeight()
    choices.hidden = false // only now: the text above them moves the buttons, and a button that moves between press and release is not clicked
  }

  async function answer(outcome: 'passed' | 'failed') {
    for (const button of buttons) button.disabled = true
    trouble.textContent = ''
    try {
      const response = await fetch(location.pathname, { method: 'POST', body: new URLSearchParams({ outcome }) })
      if (response.status === 404) return over()
      if (!response.ok) throw new Error(`Status ${response.status}`)
      const { return_url } = await response.json()
      if (!framed && typeof return_url === 'string') return location.assign(return_url)
      over()
    } catch {
      // Safe to repeat: a challenge is answered at most once.
      for (const button of buttons) button.disabled = false
      trouble.textContent = 'The test bank did not answer. Please try again.'
    }
  }

  buttons[0]?.addEventListener('click', () => answer('passed'))
  buttons[1]?.addEventListener('click', () => answer('failed'))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell({ challenge: location.pathname, tell: 'cancel' })
  })
  part('title', HTMLElement).focus()
  ask()
}
