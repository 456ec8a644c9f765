import { createHash } from 'node:crypto'
import type { ErrorCode } from '#shared/error-codes.ts'

/** What a file of a bank says of an entry. Amounts are in cents; those that have left are below zero. */
export type StatementEntry = {
  /** the bank's own reference; null: the file has none */
  bankReference: string | null
  bookedOn: string
  amountCents: number
  payerName: string
  payerIban: string
  text: string
}

/** `iban` is null, and `currencies` empty, where the file does not say them, as CSV files mostly do not. */
export type Statement = {
  iban: string | null
  /** codes in lower case, or symbols: all that it says */
  currencies: string[]
  openingCents: number | null
  closingCents: number | null
  entries: StatementEntry[]
}

/** A file that is no statement, or not one of this account. The message says so to whoever has sent it. */
export class StatementError extends Error {
  readonly code: ErrorCode
  constructor(message: string, code: ErrorCode = 'statement_unreadable') {
    super(message)
    this.code = code
  }
}

/** @throws {StatementError} 409 what came and went does not lead from the first balance to the last */
export function assertBalanced({ openingCents, closingCents, entries }: Statement): void {
  if (openingCents === null || closingCents === null) return
  const sum = entries.reduce((total, { amountCents }) => total + amountCents, openingCents)
  if (sum === closingCents) return
  const amount = (cents: number) => (cents / 100).toFixed(2)
  throw new StatementError(
    `The statement does not add up: from ${amount(openingCents)} its entries lead to ${amount(sum)}, and it ends with ${amount(closingCents)}. Load it from the bank again`,
    'statement_unbalanced',
  )
}

/** A reference as a file says it; null where it says none, or that there is none (ISO 20022 writes NONREF and NOTPROVIDED). */
export function bankReferenceOf(written: string | undefined): string | null {
  const trimmed = (written ?? '').trim()
  return trimmed === '' || /^(nonref|notprovided)$/i.test(trimmed) ? null : trimmed
}

/**
 * Keys of entries, by which each is booked once. Equal entries of a file without references of the bank are told apart by their order in it. The
 * day is part of the key also where the bank has a reference: some banks repeat them.
 */
export function keysOf(entries: StatementEntry[]): string[] {
  const seen = new Map<string, number>()
  return entries.map(({ bankReference, ...said }) => {
    const what = bankReference === null ? JSON.stringify(said) : `${bankReference} ${said.bookedOn} ${said.amountCents}`
    const nth = (seen.get(what) ?? 0) + 1
    seen.set(what, nth)
    return createHash('sha256')
      .update(`${bankReference === null ? 'said' : 'bank'} ${what} ${nth}`)
      .digest('base64url')
  })
}

/** "1.234,56", "1,234.56 EUR", "-12", "$12", "12,50-" and "+3.00"; undefined where it is no amount with at most two decimals. */
export function readBankAmount(text: string): { cents: number; currency: string | undefined } | undefined {
  const compact = text.replace(/[\s\u00a0']/g, '').replace('\u2212', '-')
  const parts = /^([+-]?)([a-z]{3}|\p{Sc})?([+-]?)([\d.,]+)([+-]?)([a-z]{3}|\p{Sc})?$/iu.exec(compact)
  const [, sign = '', before, inner = '', digits = '', trailing = '', after] = parts ?? []
  const signs = sign + inner + trailing
  if (!parts || signs.length > 1 || (before && after)) return undefined
  const cents = centsOf(digits)
  return cents === undefined ? undefined : { cents: signs === '-' ? -cents : cents, currency: (before ?? after)?.toLowerCase() }
}

function centsOf(digits: string): number | undefined {
  const decimal = /[.,](\d{1,2})$/.exec(digits)
  const whole = decimal ? digits.slice(0, decimal.index) : digits
  const separators = [...new Set(whole.replace(/\d/g, ''))]
  const isGrouped =
    separators.length === 0 || (separators.length === 1 && separators[0] !== decimal?.[0][0] && /^\d{1,3}([.,]\d{3})+$/.test(whole))
  if (!isGrouped) return undefined
  const cents = Number(whole.replace(/[.,]/g, '') || '0') * 100 + Number((decimal?.[1] ?? '').padEnd(2, '0') || '0')
  return Number.isSafeInteger(cents) ? cents : undefined
}

/** "2026-11-24", "24.11.2026" and "24.11.26" as a day; undefined for anything else, such as days whose order cannot be told. */
export function parseBankDay(text: string): string | undefined {
  const trimmed = text.trim()
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(trimmed)
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(trimmed)
  const [year, month, day] = iso ? iso.slice(1) : dotted ? [dotted[3], dotted[2], dotted[1]] : []
  if (!year || !month || !day) return undefined
  const written = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${written}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== written ? undefined : written
}
