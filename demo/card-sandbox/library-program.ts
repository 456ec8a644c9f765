/// <reference lib="dom" />
import type { BillingDetails, CardChange, CardOptions, FromFrame, PaymentResult, ToFrame } from './messages.ts'

/**
 * Runs in the shop's page and puts `CardSandbox(publishableKey)` on the window, with the calls of Stripe.js that the shop uses:
 * elements() -> create('card') and confirmCardPayment, retrievePaymentIntent. The page must let it show frames of and connect to the
 * origin it was loaded from. It is sent as text: it must not use anything outside itself but
 * what it is handed.
 */
export function libraryProgram(unreachable: PaymentResult): void {
  type Handlers = {
    ready: (event: { elementType: 'card' }) => void
    change: (event: CardChange) => void
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
    #waiting: ToFrame[] = []
    #calls = new Map<string, (result: PaymentResult) => void>()
    #listeners: Listeners = { ready: new Set(), change: new Set(), focus: new Set(), blur: new Set(), escape: new Set() }

    constructor(options: CardOptions) {
      this.#options = options
    }

    mount(place: string | HTMLElement) {
      const container = typeof place === 'string' ? document.querySelector(place) : place
      if (!container) throw new Error(`The selector you specified (${place}) applies to no DOM elements that are currently on the page.`)
      if (this.#frame?.parentElement === container) return
      this.unmount()

      this.#name = crypto.randomUUID()
      const address = new URL('/frame', origin)
      address.hash = new URLSearchParams({ parent: location.origin, element: this.#name, theme: this.#options.theme ?? '' }).toString()
      const frame = document.createElement('iframe')
      frame.title = 'Secure card payment input frame'
      frame.src = address.href
      // Room for the focus ring, which would otherwise be cut off: the fields still line up with the page's own.
      frame.style.cssText = 'display: block; border: 0; margin: -4px; width: calc(100% + 8px); background: transparent'
      frame.style.height = `${container.clientWidth < 420 ? 170 : 84}px`
      this.#frame = frame
      this.#dress()
      window.addEventListener('message', this.#hear)
      container.replaceChildren(frame)
      this.#tell({ cardElement: this.#name, ask: 'update', options: this.#options })
    }

    unmount() {
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

    /** For confirmCardPayment only: the card stays in the frame, which asks the sandbox itself. */
    confirm(publishableKey: string, clientSecret: string, billing: BillingDetails): Promise<PaymentResult> {
      if (!this.#frame) throw new Error('We could not retrieve data from the specified Element: it must be mounted.')
      const call = crypto.randomUUID()
      return new Promise((resolve) => {
        this.#calls.set(call, resolve)
        this.#tell({ cardElement: this.#name, ask: 'confirm', call, publishableKey, clientSecret, billing })
      })
    }

    /** A frame whose colour scheme differs from its element's would get an opaque ground. */
    #dress() {
      if (this.#frame) this.#frame.style.colorScheme = this.#options.theme ?? 'light dark'
    }

    #tell(message: ToFrame) {
      if (this.#ready) this.#frame?.contentWindow?.postMessage(message, origin)
      else this.#waiting.push(message)
    }

    #hear = (event: MessageEvent<FromFrame>) => {
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
        // Enter in a card field sends the form around it, as it would if the field stood in the page.
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

  function CardSandbox(publishableKey: string) {
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
        return payment_method.card.confirm(publishableKey, clientSecret, payment_method.billing_details ?? {})
      },

      async retrievePaymentIntent(clientSecret: string): Promise<PaymentResult> {
        const address = new URL(`/v1/payment_intents/${encodeURIComponent(clientSecret.replace(/_secret_.*/, ''))}`, origin)
        address.search = new URLSearchParams({ key: publishableKey, client_secret: clientSecret }).toString()
        try {
          const response = await fetch(address, { credentials: 'omit' })
          const content = await response.json()
          return response.ok ? { paymentIntent: content } : { error: content.error }
        } catch {
          return unreachable
        }
      },
    }
  }

  Object.assign(window, { CardSandbox })
}
