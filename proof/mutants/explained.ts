// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines of code are quoted here

/** Mutants that no test can notice, or need not, and why: the line before and after, without the blanks around it. */
export const explained: { file: string; from: string; to: string | undefined; why: string }[] = [
  {
    file: 'platform/limits.ts',
    from: "const missing = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)",
    to: "const missing = tail === undefined ? 1 : 8 - groups.length - (tail ? tail.split(':').length : 0)",
    why: 'An address without :: has all its eight groups; a ninth stands behind the four that are kept.',
  },
  {
    file: 'platform/limits.ts',
    from: "const missing = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 0)",
    to: "const missing = tail === undefined ? 0 : 8 - groups.length - (tail ? tail.split(':').length : 1)",
    why: 'Where nothing stands behind ::, the groups that are missing are at the end, and one of them less is behind the four that are kept.',
  },
  {
    file: 'platform/limits.ts',
    from: 'seconds > 2 * 3600 ? `${Math.ceil(seconds / 3600)} hours` : seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`',
    to: 'seconds > 2 * 3601 ? `${Math.ceil(seconds / 3600)} hours` : seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`',
    why: 'For two seconds "121 minutes" is said instead of "3 hours".',
  },
  {
    file: 'store/payments/declines.ts',
    from: "where(and(eq(declined.event, 'card declined'), sql`${declined.at} > now() - make_interval(secs => ${declines.windowSeconds})`))",
    to: "where(and(eq(declined.event, 'card declined'), sql`${declined.at} >= now() - make_interval(secs => ${declines.windowSeconds})`))",
    why: 'A microsecond at the edge of a window.',
  },
  {
    file: 'store/orders/mails.ts',
    from: '.limit(1)',
    to: '.limit(2)',
    why: 'Whether there is one is asked: more rows are not looked at.',
  },
  {
    file: 'store/identity/api.ts',
    from: 'return { status: true as const }',
    to: 'return { status: false as const }',
    why: 'The contract names true alone, and what writes the answer writes that.',
  },
  {
    file: 'store/payments/refunds.ts',
    from: ".for('update', { skipLocked: true })",
    to: ".for('update', { skipLocked: false })",
    why: 'The lock lasts as long as the statement: who waits for it instead finds the refund taken and asks again, some milliseconds later.',
  },
  {
    file: 'store/catalogue/import/due-imports.ts',
    from: 'if (Date.now() - toldAt < toldEveryMs) return',
    to: undefined,
    why: 'How often the progress of a file is written down while it is read: more often costs time and changes nothing.',
  },
  {
    file: 'platform/turns.ts',
    from: 'while (usedMs < turnMs) {',
    to: 'while (usedMs <= turnMs) {',
    why: 'Whether exactly four milliseconds, by a clock of microseconds, are over or not.',
  },
  {
    file: 'store/payments/declines.ts',
    from: "if (intentId && (await secondsToWait(db, order)) > 0) await closeIntent(db, cards, intentId, 'fraudulent')",
    to: "if (intentId && (await secondsToWait(db, order)) > 1) await closeIntent(db, cards, intentId, 'fraudulent')",
    why: 'In the last second of an hour.',
  },
]
