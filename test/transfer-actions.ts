import assert from 'node:assert/strict'
import { eq } from 'drizzle-orm'
import { users } from '#store/identity/table.ts'
import type { BankEntry, StatementSummary } from '#store/orders/bank/contract.ts'
import { creditorReference } from '#store/orders/payment-methods/iban.ts'
import { checkOut, putIntoCart } from './checkout-actions.ts'
import { createProduct } from './order-actions.ts'
import type { Actor, ApiResponse, Store } from './store.ts'

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

/** Of a statement; what is not said is as banks say it. */
export type EntryInFile = { amountCents: number; text?: string; name?: string; iban?: string; reference?: string; day?: string }

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const decimal = (cents: number) => (Math.abs(cents) / 100).toFixed(2)

function entryXml(
  { amountCents, text = '', name = 'Ada Byron', iban = 'DE02120300000000202051', reference, day = '2026-11-24' }: EntryInFile,
  currency: string,
) {
  const isDebit = amountCents < 0
  const [party, account] = isDebit ? ['Cdtr', 'CdtrAcct'] : ['Dbtr', 'DbtrAcct']
  return `<Ntry><Amt Ccy="${currency}">${decimal(amountCents)}</Amt><CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>${day}</Dt></BookgDt>${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ''}<NtryDtls><TxDtls>
    <RltdPties><${party}><Nm>${escapeXml(name)}</Nm></${party}><${account}><Id><IBAN>${iban}</IBAN></Id></${account}></RltdPties>
    <RmtInf><Ustrd>${escapeXml(text)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

/** A statement as CAMT.053, which adds up unless another last balance is named. */
export function camt(
  entries: EntryInFile[],
  { iban = transferSettings.iban, currency = 'USD', openingCents = 100_000, closingCents = NaN } = {},
): string {
  const sum = entries.reduce((total, { amountCents }) => total + amountCents, openingCents)
  const balance = (code: string, cents: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${decimal(cents)}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>2026-11-24</Dt></Dt></Bal>`
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>
    <Stmt><Id>1</Id><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>${balance('OPBD', openingCents)}${balance('CLBD', Number.isNaN(closingCents) ? sum : closingCents)}
    ${entries.map((entry) => entryXml(entry, currency)).join('')}</Stmt></BkToCstmrStmt></Document>`
}

/** A file as the page Bank sends it. */
export const sendStatement = (actor: Actor, file: string | Uint8Array, query: Record<string, string> = {}): Promise<ApiResponse> =>
  actor.request('POST', `/bank-statements?${new URLSearchParams({ name: 'statement.xml', ...query })}`, Buffer.from(file), {
    'content-type': 'application/octet-stream',
  })

export async function importEntries(store: Store, entries: EntryInFile[], query = {}): Promise<StatementSummary> {
  const sent = await sendStatement(store.admin, camt(entries), query)
  assert.equal(sent.statusCode, 201, sent.body)
  return sent.json()
}

/** An order that awaits a transfer, by a buyer whose e-mail is verified. */
export async function placeTransferOrder(
  store: Store,
  { toolId, quantity = 1, buyer = store.customer }: { toolId?: string; quantity?: number; buyer?: Actor } = {},
) {
  await buyer.token()
  await store.db.update(users).set({ emailVerified: true }).where(eq(users.email, buyer.email))
  await putIntoCart(buyer, { [toolId ?? (await createProduct(store))]: quantity })
  const order = await checkOut(buyer, { paymentMethod: 'bank_transfer' })
  return { ...order, reference: creditorReference(order.number) }
}

export const waitingEntries = async (store: Store): Promise<BankEntry[]> =>
  (await store.admin.request('GET', '/bank-entries?list=waiting')).json().entries

/** What an admin decides who sees the entry like this. */
export const decide = (actor: Actor, { _id, leftCents }: Pick<BankEntry, '_id' | 'leftCents'>, body: object): Promise<ApiResponse> =>
  actor.request('POST', `/bank-entries/${_id}/decision`, { leftCentsSeen: leftCents, ...body })
