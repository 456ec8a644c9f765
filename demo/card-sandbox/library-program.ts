/// <reference lib="dom" />
import type {
  BillingDetails,
  CardChangeEvent,
  CardOptions,
  MessageFromChallenge,
  MessageFromFrame,
  MessageToFrame,
  PaymentResult,
  Theme,
} from './messages.ts'

/**
 * The browser library. Defines `CardSandbox(publishableKey)` on the window, with the functions of Stripe.js that a shop uses:
 * elements() -> create('card'); confirmCardPayment, which shows a dialog for 3-D Secure if required; handleNextAction, which does so later;
 * retrievePaymentIntent. The CSP of the page must allow frames of and connections to the origin from which the library was loaded.
 * It is serialized with `toString()`, so it must not reference anything outside its body except its parameters.
 */
export function libraryProgram(unreachable: PaymentResult): void {
  type Handlers = {
    ready: (event: { elementType: 'card' }) => void
    change: (event: CardChangeEvent) => void
    focus: (event: { elementType: 'card' }) => void
    blur: (event: { elementType: 'card' }) => void
    escape: (event: { elementType: 'card' }) => void
  }
  type Listeners = { [Event in keyof Handlers]: Set<Handlers[Event]> }

  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement)) throw new Error('CardSandbox must be loaded by a script tag')
  const origin = new URL(script.src).origin

  class CardElement {
    #options: CardOptions
    #name = ''
    #frame: HTMLIFrameElement | undefined
    #ready = false
    #waiting: MessageToFrame[] = []
    #calls = new Map<string, (result: PaymentResult) => void>()
    #listeners: Listeners = { ready: new Set(), change: new Set(), focus: new Set(), blur: new Set(), escape: new Set() }

    constructor(options: CardOptions) {
      this.#options = options
    }

    mount(target: string | HTMLElement) {
      const container = typeof target === 'string' ? document.querySelector(target) : target
      if (!container) throw new Error(`The selector you specified (${target}) applies to no DOM elements that are currently on the page.`)
      if (this.#frame?.parentElement === container) return
      this.unmount()

      this.#name = crypto.randomUUID()
      const url = new URL('/frame', origin)
      url.hash = new URLSearchParams({ parent: location.origin, element: this.#name, theme: this.#options.theme ?? '' }).toString()
      const frame = document.createElement('iframe')
      frame.title = 'Secure card payment input frame'
      frame.src = url.href
      // Negative margin for the focus ring, which would be cut off otherwise. The fields still align with the page's own.
      frame.style.cssText = 'display: block; border: 0; margin: -4px; width: calc(100% + 8px); background: transparent'
      frame.style.height = `${container.clientWidth < 420 ? 170 : 84}px`
      this.#frame = frame
      this.#dress()
      window.addEventListener('message', this.#hear)
      container.replaceChildren(frame)
      this.#tell({ cardElement: this.#name, ask: 'update', options: this.#options })
    }

    unmount() {
      leaveDialog()
      window.removeEventListener('message', this.#hear)
      this.#frame?.remove()
      this.#frame = undefined
      this.#ready = false
      this.#waiting = []
      for (const answer of this.#calls.values()) answer(unreachable)
      this.#calls.clear()
    }

    destroy() {
      this.unmount()
      for (const handlers of Object.values(this.#listeners)) handlers.clear()
    }

    update(options: CardOptions) {
      this.#options = { ...this.#options, ...options }
      this.#dress()
      this.#tell({ cardElement: this.#name, ask: 'update', options: this.#options })
    }

    focus() {
      this.#frame?.focus()
      this.#tell({ cardElement: this.#name, ask: 'focus' })
    }

    blur() {
      this.#tell({ cardElement: this.#name, ask: 'blur' })
    }

    clear() {
      this.#tell({ cardElement: this.#name, ask: 'clear' })
    }

    on<Event extends keyof Handlers>(event: Event, handler: Handlers[Event]) {
      this.#listeners[event]?.add(handler)
      return this
    }

    off<Event extends keyof Handlers>(event: Event, handler?: Handlers[Event]) {
      if (handler) this.#listeners[event]?.delete(handler)
      else this.#listeners[event]?.clear()
      return this
    }

    get theme() {
      return this.#options.theme
    }

    /** For confirmCardPayment only: the card data stays in the frame, which sends the request itself. */
    confirm(publishableKey: string, clientSecret: string, billing: BillingDetails): Promise<PaymentResult> {
      if (!this.#frame) throw new Error('We could not retrieve data from the specified Element: it must be mounted.')
      const call = crypto.randomUUID()
      return new Promise((resolve) => {
        this.#calls.set(call, resolve)
        this.#tell({ cardElement: this.#name, ask: 'confirm', call, publishableKey, clientSecret, billing })
      })
    }

    /** A frame whose color-scheme differs from that of its iframe element would get an opaque background. */
    #dress() {
      if (this.#frame) this.#frame.style.colorScheme = this.#options.theme ?? 'light dark'
    }

    #tell(message: MessageToFrame) {
      if (this.#ready) this.#frame?.contentWindow?.postMessage(message, origin)
      else this.#waiting.push(message)
    }

    #hear = (event: MessageEvent<MessageFromFrame>) => {
      if (event.origin !== origin || event.source !== this.#frame?.contentWindow || event.data?.cardElement !== this.#name) return
      const told = event.data
      if (told.tell === 'height') {
        if (this.#frame && Number.isFinite(told.heightPx)) this.#frame.style.height = `${Math.ceil(told.heightPx)}px`
      } else if (told.tell === 'confirmed') {
        this.#calls.get(told.call)?.(told.result)
        this.#calls.delete(told.call)
      } else if (told.tell === 'change') {
        for (const handler of this.#listeners.change) handler(told.change)
      } else if (told.tell === 'submit') {
        // Enter in a card field submits the surrounding form, as with a regular input.
        this.#frame?.closest('form')?.requestSubmit()
      } else {
        if (told.tell === 'ready') {
          this.#ready = true
          for (const message of this.#waiting.splice(0)) this.#tell(message)
        }
        for (const handler of this.#listeners[told.tell] ?? []) handler({ elementType: 'card' })
      }
    }
  }

  async function call(url: URL, init: RequestInit = {}): Promise<PaymentResult> {
    try {
      const response = await fetch(url, { credentials: 'omit', ...init })
      const content = await response.json()
      return response.ok ? { paymentIntent: content } : { error: content.error }
    } catch {
      return unreachable
    }
  }

  /** Closes an open 3-D Secure dialog without an answer. */
  let leaveDialog = () => {}

  /**
   * Shows the bank's page in a modal dialog until the challenge is answered. Closing the dialog answers it with `failed`. Resolves when the
   * sandbox has stored the answer, or when the card element is unmounted.
   */
  function askBuyer(challenge: string, theme: Theme | undefined): Promise<void> {
    leaveDialog()
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', 'Confirm your payment with your bank')
    // System colours, as in the framed page of the bank. Its distance from the top does not depend on its height, so that nothing moves
    // under the pointer when the height of the frame follows its content.
    dialog.style.cssText =
      'box-sizing: border-box; width: calc(100% - 24px); max-width: 456px; max-height: calc(100% - 24px); padding: 0;' +
      'margin: max(12px, (100vh - 388px) / 2) auto auto;' +
      'overflow: auto; border: 1px solid #76877f; border-radius: 8px; background: Canvas; color: CanvasText;' +
      'box-shadow: 0 0 0 200vmax rgb(0 0 0 / 0.55); font: 16px/24px system-ui, sans-serif'
    dialog.style.colorScheme = theme ?? 'light dark'

    const cancel = document.createElement('button')
    cancel.type = 'button'
    cancel.textContent = 'Cancel'
    cancel.setAttribute('aria-label', 'Cancel authentication')
    cancel.style.cssText =
      'display: block; margin: 4px 8px 0 auto; min-height: 44px; padding: 0 12px; border: 0; background: none; color: inherit;' +
      'font: inherit; text-decoration: underline; cursor: pointer'

    const frame = document.createElement('iframe')
    const address = new URL(challenge, origin)
    address.hash = new URLSearchParams({ parent: location.origin, theme: theme ?? '' }).toString()
    frame.title = 'Your bank: 3-D Secure'
    frame.src = address.href
    frame.autofocus = true
    frame.style.cssText = 'display: block; width: 100%; height: 340px; border: 0; background: transparent'
    frame.style.colorScheme = dialog.style.colorScheme
    dialog.append(cancel, frame)

    return new Promise((resolve) => {
      const end = () => {
        window.removeEventListener('message', hear)
        leaveDialog = () => {}
        dialog.close()
        dialog.remove()
        resolve()
      }
      const refuse = async () => {
        cancel.disabled = true
        await call(address, { method: 'POST', body: new URLSearchParams({ outcome: 'failed' }) })
        end()
      }
      const hear = (event: MessageEvent<MessageFromChallenge>) => {
        if (event.origin !== origin || event.source !== frame.contentWindow || event.data?.challenge !== challenge) return
        const told = event.data
        if (told.tell === 'height' && Number.isFinite(told.heightPx)) frame.style.height = `${Math.ceil(told.heightPx)}px`
        if (told.tell === 'answered') end()
        if (told.tell === 'cancel') refuse()
      }
      leaveDialog = end
      window.addEventListener('message', hear)
      cancel.addEventListener('click', refuse)
      dialog.addEventListener('cancel', (event) => {
        event.preventDefault()
        refuse()
      })
      document.body.append(dialog)
      dialog.showModal()
    })
  }

  function CardSandbox(publishableKey: string) {
    function retrieve(clientSecret: string): Promise<PaymentResult> {
      const address = new URL(`/v1/payment_intents/${encodeURIComponent(clientSecret.replace(/_secret_.*/, ''))}`, origin)
      address.search = new URLSearchParams({ key: publishableKey, client_secret: clientSecret }).toString()
      return call(address)
    }

    /** Runs 3-D Secure if required, then returns the resulting intent or error. */
    async function finished(clientSecret: string, result: PaymentResult, theme?: Theme): Promise<PaymentResult> {
      const address = result.paymentIntent?.next_action?.use_stripe_sdk?.stripe_js
      if (result.paymentIntent?.status !== 'requires_action' || !address) return result
      await askBuyer(new URL(address).pathname, theme)
      const now = await retrieve(clientSecret)
      if (now.paymentIntent?.status === 'requires_action') return unreachable
      const failure = now.paymentIntent?.status === 'requires_payment_method' && now.paymentIntent.last_payment_error
      return failure ? { error: { ...failure, payment_intent: now.paymentIntent } } : now
    }

    return {
      elements() {
        let card: CardElement | null = null
        return {
          create(type: 'card', options: CardOptions = {}) {
            if (type !== 'card') throw new Error(`A valid Element name must be provided. Valid Elements are: card; you passed: ${type}.`)
            card = new CardElement(options)
            return card
          },
          getElement: (type: 'card') => (type === 'card' ? card : null),
        }
      },

      async confirmCardPayment(
        clientSecret: string,
        { payment_method }: { payment_method: { card: CardElement; billing_details?: BillingDetails } },
      ): Promise<PaymentResult> {
        const { card, billing_details = {} } = payment_method
        return finished(clientSecret, await card.confirm(publishableKey, clientSecret, billing_details), card.theme)
      },

      async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<PaymentResult> {
        const result = await retrieve(clientSecret)
        if (result.paymentIntent && result.paymentIntent.status !== 'requires_action') {
          throw new Error(`handleNextAction: The PaymentIntent supplied is not in the requires_action state.`)
        }
        return finished(clientSecret, result)
      },

      retrievePaymentIntent: retrieve,
    }
  }

  Object.assign(window, { CardSandbox })
}
