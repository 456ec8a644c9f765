import { type Cents, formatCents } from '#shared/money.ts'

/** An amount with both decimals, as documents have it: 40000 is $400.00. */
export const formatExactCents = (amountCents: Cents): string => `${formatCents(amountCents)}${amountCents % 100 === 0 ? '.00' : ''}`
