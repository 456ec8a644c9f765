import assert from 'node:assert/strict'
import type { Store } from './store.ts'

/* What people do in tests about bank transfers. */

export const transferSettings = {
  ...{ card: true, bankTransfer: true, onAccount: false },
  ...{ holder: 'Nucleus Trading GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX', bankName: 'Commerzbank', holdDays: 7 },
}

/** The owner takes transfers, beside cards unless said otherwise. */
export async function setUpTransfers(store: Store, more: object = {}): Promise<void> {
  const set = await store.admin.request('PUT', '/payment-settings', { ...transferSettings, ...more })
  assert.equal(set.statusCode, 200, set.body)
}
