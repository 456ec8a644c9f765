import type { Database } from '#platform/database.ts'
import { HttpError } from '#platform/http-error.ts'
import { recordingPricingChange } from '#store/catalogue/pricing/changes.ts'
import type { User } from '#store/identity/contract.ts'
import { findCreditOffer } from '#store/orders/on-account/credits.ts'
import type { PaymentMethod } from '#store/orders/statuses.ts'
import { type BankAccount, type OfferedPaymentMethod, type PaymentSettings, transferHoldDays } from './contract.ts'
import { formatIban } from './iban.ts'
import { paymentSettings } from './table.ts'

const columns = {
  card: paymentSettings.card,
  bankTransfer: paymentSettings.bankTransfer,
  onAccount: paymentSettings.onAccount,
  holder: paymentSettings.holder,
  iban: paymentSettings.iban,
  bic: paymentSettings.bic,
  bankName: paymentSettings.bankName,
  holdDays: paymentSettings.holdDays,
}

const nothingSaid: PaymentSettings = {
  ...{ card: true, bankTransfer: false, onAccount: false },
  ...{ holder: '', iban: '', bic: '', bankName: '', holdDays: transferHoldDays.usual },
}

export const findPaymentSettings = async (db: Database): Promise<PaymentSettings> =>
  (await db.select(columns).from(paymentSettings))[0] ?? nothingSaid

/** Where buyers transfer to; null: no account is named. */
export async function findBankAccount(db: Database): Promise<BankAccount | null> {
  const { holder, iban, bic, bankName } = await findPaymentSettings(db)
  return iban === '' ? null : { holder, iban, bic, bankName }
}

export function changePaymentSettings(db: Database, owner: User, settings: PaymentSettings): Promise<PaymentSettings> {
  return recordingPricingChange(db, owner, async (tx) => {
    const before = await findPaymentSettings(tx)
    await tx.insert(paymentSettings).values(settings).onConflictDoUpdate({ target: paymentSettings.singleRow, set: settings })
    const isSame = JSON.stringify(before) === JSON.stringify(settings)
    return { result: settings, what: isSame ? undefined : `Payment: ${describe(settings)}, was: ${describe(before)}`, isToldAtOnce: true }
  })
}

function describe({ card, bankTransfer, onAccount, holder, iban, holdDays }: PaymentSettings): string {
  const on = [
    ...(card ? ['card'] : []),
    ...(bankTransfer ? [`transfer to ${holder}, ${formatIban(iban)}, held ${holdDays} days`] : []),
    ...(onAccount ? ['on account'] : []),
  ]
  return on.join(' and ')
}

const isOn = (settings: PaymentSettings, method: PaymentMethod): boolean =>
  ({ card: settings.card, bank_transfer: settings.bankTransfer, on_account: settings.onAccount })[method]

/**
 * The methods that the buyer of a basket of this cost can choose from, the first of them first. Orders on account are for members of companies that
 * have credit: where the order does not fit it, or something is overdue, `problem` says so.
 */
export async function findOfferedMethods(
  db: Database,
  { userId, totalCents }: { userId: string | null | undefined; totalCents: number },
): Promise<OfferedPaymentMethod[]> {
  const settings = await findPaymentSettings(db)
  const offered: OfferedPaymentMethod[] = (['card', 'bank_transfer'] as const)
    .filter((method) => isOn(settings, method))
    .map((method) => ({ method, problem: null, holdDays: method === 'bank_transfer' ? settings.holdDays : null }))
  const credit = settings.onAccount ? await findCreditOffer(db, userId, totalCents) : undefined
  return credit ? [...offered, { method: 'on_account', holdDays: null, ...credit }] : offered
}

const methodNames: Record<PaymentMethod, string> = {
  card: 'Card payment',
  bank_transfer: 'Bank transfer',
  on_account: 'Payment on account',
}

/** @throws {HttpError} 409 the method is switched off */
export async function assertMethodIsOn(db: Database, method: PaymentMethod): Promise<void> {
  if (isOn(await findPaymentSettings(db), method)) return
  const message = `${methodNames[method]} is not offered now: choose another way to pay`
  throw new HttpError(409, message, { paymentMethod: message }, { code: 'payment_method_off' })
}
