/** The outcome of charging a card. */
export type ChargeOutcome =
  | { kind: 'succeeds' }
  | { kind: 'declined'; code: string; decline_code: string; message: string; param?: string; blocked?: true }

export type TestCard = {
  number: string
  token: string
  brand: 'visa' | 'mastercard' | 'amex'
  outcome: ChargeOutcome
  /** 3-D Secure. `required`: the buyer must authenticate before the charge; `unavailable`: required, but the bank is not reachable. */
  authentication?: 'required' | 'supported' | 'unavailable'
  /** How refunds proceed when they do not succeed at once. */
  refund?: 'pending' | 'fails'
  /** The reason for which the buyer disputes the charge a while later. */
  disputed?: 'fraudulent' | 'product_not_received'
}

const succeeds: ChargeOutcome = { kind: 'succeeds' }

function declined(decline_code: string, message = 'Your card was declined.'): ChargeOutcome {
  return { kind: 'declined', code: 'card_declined', decline_code, message }
}

/** Declines with a specific error code instead of `card_declined`. */
function failed(code: string, message: string, param?: string): ChargeOutcome {
  return { kind: 'declined', code, decline_code: code, message, ...(param && { param }) }
}

/** Stripe's test cards: https://docs.stripe.com/testing. Many copies of this list swap 9987 and 9979. */
const CARDS: TestCard[] = [
  { number: '4242424242424242', token: 'pm_card_visa', brand: 'visa', outcome: succeeds },
  { number: '5555555555554444', token: 'pm_card_mastercard', brand: 'mastercard', outcome: succeeds },
  { number: '378282246310005', token: 'pm_card_amex', brand: 'amex', outcome: succeeds },
  { number: '4000000000000002', token: 'pm_card_visa_chargeDeclined', brand: 'visa', outcome: declined('generic_decline') },
  {
    number: '4000000000009995',
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    brand: 'visa',
    outcome: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  { number: '4000000000009987', token: 'pm_card_visa_chargeDeclinedLostCard', brand: 'visa', outcome: declined('lost_card') },
  { number: '4000000000009979', token: 'pm_card_visa_chargeDeclinedStolenCard', brand: 'visa', outcome: declined('stolen_card') },
  {
    number: '4000000000006975',
    token: 'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    brand: 'visa',
    outcome: declined(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  },
  {
    number: '4000000000000069',
    token: 'pm_card_chargeDeclinedExpiredCard',
    brand: 'visa',
    outcome: failed('expired_card', 'Your card has expired.', 'exp_month'),
  },
  {
    number: '4000000000000127',
    token: 'pm_card_chargeDeclinedIncorrectCvc',
    brand: 'visa',
    outcome: failed('incorrect_cvc', "Your card's security code is incorrect.", 'cvc'),
  },
  {
    number: '4000000000000119',
    token: 'pm_card_chargeDeclinedProcessingError',
    brand: 'visa',
    outcome: failed('processing_error', 'An error occurred while processing your card. Try again in a little bit.'),
  },
  { number: '4000000000000341', token: 'pm_card_chargeCustomerFail', brand: 'visa', outcome: declined('generic_decline') },
  {
    number: '4100000000000019',
    token: 'pm_card_radarBlock',
    brand: 'visa',
    outcome: { kind: 'declined', code: 'card_declined', decline_code: 'fraudulent', message: 'Your card was declined.', blocked: true },
  },
  {
    number: '4000002500003155',
    token: 'pm_card_authenticationRequiredOnSetup',
    brand: 'visa',
    outcome: succeeds,
    authentication: 'required',
  },
  { number: '4000002760003184', token: 'pm_card_authenticationRequired', brand: 'visa', outcome: succeeds, authentication: 'required' },
  { number: '4000000000003220', token: 'pm_card_threeDSecure2Required', brand: 'visa', outcome: succeeds, authentication: 'required' },
  {
    number: '4000008400001629',
    token: 'pm_card_threeDSecureRequiredChargeDeclined',
    brand: 'visa',
    outcome: declined('generic_decline'),
    authentication: 'required',
  },
  {
    number: '4000008260003178',
    token: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    brand: 'visa',
    outcome: declined('insufficient_funds', 'Your card has insufficient funds.'),
    authentication: 'required',
  },
  {
    number: '4000008400001280',
    token: 'pm_card_threeDSecureRequiredProcessingError',
    brand: 'visa',
    outcome: declined('generic_decline'),
    authentication: 'unavailable',
  },
  { number: '4000000000003055', token: 'pm_card_threeDSecureOptional', brand: 'visa', outcome: succeeds, authentication: 'supported' },
  { number: '4000000000000259', token: 'pm_card_createDispute', brand: 'visa', outcome: succeeds, disputed: 'fraudulent' },
  {
    number: '4000000000002685',
    token: 'pm_card_createDisputeProductNotReceived',
    brand: 'visa',
    outcome: succeeds,
    disputed: 'product_not_received',
  },
  { number: '4000000000007726', token: 'pm_card_pendingRefund', brand: 'visa', outcome: succeeds, refund: 'pending' },
  { number: '4000000000005126', token: 'pm_card_refundFail', brand: 'visa', outcome: succeeds, refund: 'fails' },
]

/** A stored card: the token of the test card and its expiry date, never its number or security code. */
export type StoredCard = { token: string; exp_month: number; exp_year: number }

/** Why card details are rejected before a charge is attempted. */
export type CardRejection = { refused: { code: string; decline_code?: string; message: string; param: string } }

export type CardInput = { number: string; exp_month: string; exp_year: string; cvc?: string | undefined }

/**
 * Parses card input. The result contains neither the number nor the security code, so they cannot leak from here on.
 * A number that is not in the table above is rejected without being stored.
 */
export function parseCard(input: CardInput, today = new Date()): StoredCard | CardRejection {
  const number = input.number.replace(/[\s-]/g, '')
  if (!passesLuhn(number)) return rejectCard('incorrect_number', 'Your card number is incorrect.', 'number')

  const card = CARDS.find((candidate) => candidate.number === number)
  if (!card) {
    const message =
      'Your card was declined. Your request was in test mode, but used a card that is not a test card of this sandbox. ' +
      'For a list of valid test cards, visit: https://stripe.com/docs/testing.'
    return { refused: { code: 'card_declined', decline_code: 'test_mode_live_card', message, param: 'number' } }
  }

  const exp_month = Number(input.exp_month)
  const exp_year = Number(input.exp_year) + (/^\d\d$/.test(input.exp_year) ? 2000 : 0)
  if (!Number.isInteger(exp_month) || exp_month < 1 || exp_month > 12) {
    return rejectCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  const year = today.getFullYear()
  if (!Number.isInteger(exp_year) || exp_year < year || exp_year > year + 50) {
    return rejectCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year')
  }
  if (exp_year === year && exp_month < today.getMonth() + 1) {
    return rejectCard('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month')
  }
  if (input.cvc !== undefined && !/^\d{3,4}$/.test(input.cvc)) {
    return rejectCard('invalid_cvc', "Your card's security code is invalid.", 'cvc')
  }
  return { token: card.token, exp_month, exp_year }
}

/** The card for one of Stripe's test tokens (`pm_card_visa`), valid until the end of next year. */
export function cardFromToken(token: string, today = new Date()): StoredCard | undefined {
  return CARDS.some((card) => card.token === token) ? { token, exp_month: 12, exp_year: today.getFullYear() + 1 } : undefined
}

/** The test card of a stored card. @throws when the table no longer contains it */
export function findTestCard(token: string): Omit<TestCard, 'number' | 'token'> & { last4: string } {
  const card = CARDS.find((candidate) => candidate.token === token)
  if (!card) throw new Error(`The card table has no ${token}`)
  const { number, token: _, ...rest } = card
  return { ...rest, last4: number.slice(-4) }
}

function rejectCard(code: string, message: string, param: string): CardRejection {
  return { refused: { code, message, param } }
}

/** Validates the check digit. Also serialized into the card frame, so it must not reference anything outside its body. */
export function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  let sum = 0
  for (let position = 0; position < number.length; position++) {
    const digit = Number(number[number.length - 1 - position])
    const doubled = digit * 2
    sum += position % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
