/// <reference lib="dom" />
import type { CardChangeEvent, CardOptions, FieldError, MessageFromFrame, MessageToFrame, PaymentResult } from './messages.ts'

/**
 * The script of the card frame: formats and validates the input, notifies the shop's page of changes, and confirms payments with a request
 * to the sandbox, its own origin. Card numbers leave the frame only in that request. It is serialized with `toString()`, so it must not
 * reference anything outside its body except its parameters.
 */
export function frameProgram(passesLuhn: (number: string) => boolean, unreachable: PaymentResult): void {
  const given = new URLSearchParams(location.hash.slice(1))
  const parentOrigin = given.get('parent') ?? ''
  const cardElement = given.get('element') ?? ''
  // The same origins as in frame-ancestors. Messages to and from others are ignored.
  if (window.parent === window || !/^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/.test(parentOrigin)) return

  function part<Type extends HTMLElement>(id: string, type: new () => Type): Type {
    const found = document.getElementById(id)
    if (!(found instanceof type)) throw new Error(`The frame has no ${id}`)
    return found
  }

  const form = part('card', HTMLFormElement)
  const number = part('number', HTMLInputElement)
  const expiry = part('expiry', HTMLInputElement)
  const code = part('code', HTMLInputElement)
  const brandMark = part('brand', HTMLElement)
  const fields = [
    { input: number, error: part('number-error', HTMLElement), check: numberError },
    { input: expiry, error: part('expiry-error', HTMLElement), check: expiryError },
    { input: code, error: part('code-error', HTMLElement), check: codeError },
  ]
  /** Fields that were left with content, or submitted. Only these show an `incomplete_...` error. */
  const due = new Set<HTMLInputElement>()
  let lastTold = ''

  function tell(message: MessageFromFrame) {
    window.parent.postMessage(message, parentOrigin)
  }

  // Card brand and number format

  function digitsOf(text: string): string {
    return text.replace(/\D/g, '')
  }

  function brandOf(digits: string): CardChangeEvent['brand'] {
    if (/^4/.test(digits)) return 'visa'
    if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return 'mastercard'
    if (/^3[47]/.test(digits)) return 'amex'
    if (/^(6011|64[4-9]|65)/.test(digits)) return 'discover'
    if (/^3(0[0-5]|[689])/.test(digits)) return 'diners'
    if (/^35/.test(digits)) return 'jcb'
    if (/^62/.test(digits)) return 'unionpay'
    return 'unknown'
  }

  function groupsOf(brand: CardChangeEvent['brand']): number[] {
    if (brand === 'amex') return [4, 6, 5]
    if (brand === 'diners') return [4, 6, 4]
    return [4, 4, 4, 4]
  }

  function lengthOf(brand: CardChangeEvent['brand']): number {
    return groupsOf(brand).reduce((sum, group) => sum + group, 0)
  }

  // Validation, with Stripe's messages

  function fault(errorCode: string, message: string): FieldError {
    return { type: 'validation_error', code: errorCode, message }
  }

  function numberError(): FieldError | undefined {
    const digits = digitsOf(number.value)
    if (digits.length < lengthOf(brandOf(digits))) return fault('incomplete_number', 'Your card number is incomplete.')
    if (!passesLuhn(digits)) return fault('invalid_number', 'Your card number is invalid.')
    return undefined
  }

  function expiryError(): FieldError | undefined {
    const digits = digitsOf(expiry.value)
    if (digits.length < 4) return fault('incomplete_expiry', "Your card's expiration date is incomplete.")
    const month = Number(digits.slice(0, 2))
    const year = 2000 + Number(digits.slice(2))
    const today = new Date()
    if (month < 1 || month > 12) return fault('invalid_expiry_month', "Your card's expiration date is invalid.")
    if (year < today.getFullYear()) return fault('invalid_expiry_year_past', "Your card's expiration year is in the past.")
    if (year > today.getFullYear() + 50) return fault('invalid_expiry_year', "Your card's expiration year is invalid.")
    if (year === today.getFullYear() && month < today.getMonth() + 1) {
      return fault('invalid_expiry_month_past', "Your card's expiration date is in the past.")
    }
    return undefined
  }

  function codeError(): FieldError | undefined {
    const wanted = brandOf(digitsOf(number.value)) === 'amex' ? [3, 4] : [3]
    return wanted.includes(digitsOf(code.value).length) ? undefined : fault('incomplete_cvc', "Your card's security code is incomplete.")
  }

  // Formatting while typing

  /** Sets the text and keeps the cursor after the same digit. */
  function write(input: HTMLInputElement, text: string) {
    if (input.value === text) return
    const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length
    const atEnd = input.selectionStart === input.value.length
    input.value = text
    let cursor = 0
    for (let seen = 0; cursor < text.length && seen < before; cursor++) if (/\d/.test(text.charAt(cursor))) seen++
    if (atEnd) cursor = text.length
    if (document.activeElement === input) input.setSelectionRange(cursor, cursor)
  }

  function formNumber() {
    const brand = brandOf(digitsOf(number.value))
    let rest = digitsOf(number.value).slice(0, lengthOf(brand))
    const groups: string[] = []
    for (const group of groupsOf(brand)) {
      if (rest) groups.push(rest.slice(0, group))
      rest = rest.slice(group)
    }
    write(number, groups.join(' '))
    const names = { visa: 'Visa', mastercard: 'Mastercard', amex: 'Amex', discover: 'Discover', diners: 'Diners Club' }
    brandMark.textContent = { ...names, jcb: 'JCB', unionpay: 'UnionPay', unknown: '' }[brand]
    code.placeholder = brand === 'amex' ? '1234' : '123'
  }

  function formExpiry(deleting: boolean) {
    const typed = expiry.value
    // Autofill may enter 12/2030 instead of 12/30, and the leading zero of the month may be missing.
    let digits = digitsOf(typed.replace(/^\s*(\d)\s*[/-]/, '0$1/').replace(/^(\s*\d\d\s*[/-]?\s*)20(\d\d)\s*$/, '$1$2'))
    if (/^[2-9]/.test(digits)) digits = `0${digits}`
    digits = digits.slice(0, 4)
    // The slash must not be inserted again while the user deletes it.
    if (deleting && digits.length <= 2) write(expiry, digits)
    else write(expiry, digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`)
  }

  function formCode() {
    write(code, digitsOf(code.value).slice(0, brandOf(digitsOf(number.value)) === 'amex' ? 4 : 3))
  }

  // Notifying the page

  /** Shows the errors and returns the first one. */
  function show(): FieldError | undefined {
    let first: FieldError | undefined
    for (const { input, error, check } of fields) {
      const invalid = check()
      const shown = invalid && (due.has(input) || !invalid.code.startsWith('incomplete')) ? invalid : undefined
      if (error.textContent !== (shown?.message ?? '')) error.textContent = shown?.message ?? ''
      if (shown) input.setAttribute('aria-invalid', 'true')
      else input.removeAttribute('aria-invalid')
      first ??= shown
    }
    return first
  }

  function tellChange(error: FieldError | undefined) {
    const change: CardChangeEvent = {
      elementType: 'card',
      complete: fields.every(({ check }) => !check()),
      empty: fields.every(({ input }) => input.value === ''),
      brand: brandOf(digitsOf(number.value)),
      error,
      value: { postalCode: '' },
    }
    const now = JSON.stringify(change)
    if (now !== lastTold) tell({ cardElement, tell: 'change', change })
    lastTold = now
  }

  function typed(event: Event) {
    const deleting = event instanceof InputEvent && event.inputType.startsWith('delete')
    if (event.target === number) formNumber()
    if (event.target === expiry) formExpiry(deleting)
    formCode()
    if (event.target instanceof HTMLInputElement) due.delete(event.target)
    tellChange(show())
  }

  // Commands from the page

  async function confirm(ask: Extract<MessageToFrame, { ask: 'confirm' }>): Promise<PaymentResult> {
    for (const { input } of fields) due.add(input)
    const wrong = show()
    if (wrong) {
      tellChange(wrong)
      fields.find(({ check }) => check())?.input.focus()
      return { error: wrong }
    }
    const expires = digitsOf(expiry.value)
    const body = new URLSearchParams({
      key: ask.publishableKey,
      client_secret: ask.clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': digitsOf(number.value),
      'payment_method_data[card][exp_month]': String(Number(expires.slice(0, 2))),
      'payment_method_data[card][exp_year]': expires.slice(2),
      'payment_method_data[card][cvc]': code.value,
    })
    for (const [name, value] of Object.entries(ask.billing)) {
      if (typeof value === 'string') body.set(`payment_method_data[billing_details][${name}]`, value)
    }
    // The input is kept in any case, so that a retry needs only one correction.
    for (const { input } of fields) input.readOnly = true
    try {
      const id = encodeURIComponent(ask.clientSecret.replace(/_secret_.*/, ''))
      const response = await fetch(`/v1/payment_intents/${id}/confirm`, { method: 'POST', body, credentials: 'omit' })
      const content = await response.json()
      return response.ok ? { paymentIntent: content } : { error: content.error }
    } catch {
      return unreachable
    } finally {
      for (const { input } of fields) input.readOnly = false
    }
  }

  function dress({ theme, style, disabled }: CardOptions) {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
    else delete document.documentElement.dataset.theme
    const wishes = {
      '--ink': style?.base?.color,
      '--figures': style?.base?.fontFamily,
      '--hint': style?.base?.['::placeholder']?.color,
      '--wrong': style?.invalid?.color,
    }
    for (const [name, value] of Object.entries(wishes)) {
      if (typeof value === 'string' && !/url|[;{}]/i.test(value)) document.documentElement.style.setProperty(name, value)
      else document.documentElement.style.removeProperty(name)
    }
    for (const { input } of fields) input.disabled = disabled === true
  }

  function clear() {
    due.clear()
    for (const { input } of fields) input.value = ''
    formNumber()
    tellChange(show())
  }

  window.addEventListener('message', async (event: MessageEvent<MessageToFrame>) => {
    if (event.origin !== parentOrigin || event.source !== window.parent || event.data?.cardElement !== cardElement) return
    const asked = event.data
    if (asked.ask === 'update') dress(asked.options)
    if (asked.ask === 'focus') (fields.find(({ check }) => check())?.input ?? number).focus()
    if (asked.ask === 'blur' && document.activeElement instanceof HTMLElement) document.activeElement.blur()
    if (asked.ask === 'clear') clear()
    if (asked.ask === 'confirm') tell({ cardElement, tell: 'confirmed', call: asked.call, result: await confirm(asked) })
  })

  form.addEventListener('input', typed)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    tell({ cardElement, tell: 'submit' })
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell({ cardElement, tell: 'escape' })
  })
  // Moving the focus between the three fields is no focus or blur for the page.
  form.addEventListener('focusin', (event) => {
    if (!(event.relatedTarget instanceof HTMLInputElement)) tell({ cardElement, tell: 'focus' })
  })
  form.addEventListener('focusout', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.value !== '') due.add(event.target)
    tellChange(show())
    if (!(event.relatedTarget instanceof HTMLInputElement)) tell({ cardElement, tell: 'blur' })
  })

  new ResizeObserver(() => tell({ cardElement, tell: 'height', heightPx: form.getBoundingClientRect().height })).observe(form)
  dress(given.get('theme') === 'dark' ? { theme: 'dark' } : given.get('theme') === 'light' ? { theme: 'light' } : {})
  tell({ cardElement, tell: 'ready' })
}
