import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { amountsLeft } from '#store/orders/documents/amounts-left.ts'
import { creditNoteAmounts, type DocumentData, invoiceAmounts } from '#store/orders/documents/document-data.ts'
import { renderPdf } from '#store/orders/documents/document-pdf.ts'
import { withWords, wordsOf } from '#store/orders/documents/document-words.ts'
import { hasXml, renderXml } from '#store/orders/documents/document-xml.ts'
import { formatExactCents } from '#store/orders/documents/exact-amount.ts'
import { issueDueDocument } from '#store/orders/documents/issue-documents.ts'
import { monthOf } from '#store/orders/documents/supply.ts'
import { chargesOfRest } from '#store/orders/order-charges.ts'
import type { LineRow, OrderRow } from '#store/orders/rules.ts'
import { type TaxTerms, taxKinds } from '#store/tax/compute-tax.ts'
import { berlin } from '#test/checkout-actions.ts'
import { parseXml, readPdf, setUpSeller, testSeller } from '#test/document-actions.ts'
import { brokenRules, precedingNumbers, totalOf } from '#test/en16931.ts'
import { createTestStoreWithCards, placePaidOrder, waitForWebhooks } from '#test/order-actions.ts'
import { createSecondInstance } from '#test/second-instance.ts'
import { sampleSize } from './full-run.ts'
import { pickRandom } from './generated-queries.ts'
import { seededRandom } from './seeded-random.ts'

type Random = ReturnType<typeof seededRandom>

const rates: TaxTerms['rates'] = { standard: 190_000, reduced: 70_000, zero: 0 }
const names = ['Drill', 'Säge 2″ & <Klinge>', 'Отвёртка', 'Κατσαβίδι', '螺丝刀 M3']

/** An invoice of any kind, made up by chance, and the credit note of a part of it. */
function makeUpDocuments(random: Random, nth: number): DocumentData[] {
  const { below, coin } = random
  const kind = taxKinds[nth % taxKinds.length] ?? 'none'
  const terms: TaxTerms = {
    kind,
    pricesIncludeTax: coin(),
    rates,
    sentence: kind === 'reverse charge' || kind === 'export' ? 'No tax: see the law' : null,
  }
  const products = Array.from({ length: 1 + below(6) }, (_, at) => {
    const [unitPriceCents, quantity] = [1 + below(20_000), 1 + below(12)]
    const reductionCents = coin() ? 0 : below(unitPriceCents * quantity - quantity + 1)
    const taxClass = pickRandom(['standard', 'reduced', 'zero'] as const, random)
    return {
      _id: `${at}`,
      toolId: `${at}`,
      unitPriceCents,
      quantity,
      reductionCents,
      taxClass,
      totalCents: unitPriceCents * quantity - reductionCents,
    }
  })
  const taxTerms = kind === 'none' ? null : terms
  const { order, lines } = chargesOfRest({ deliveryCents: coin() ? 0 : below(3000), taxTerms }, products)
  const rows = products.map((product, at) => {
    const { includedTaxCents = 0, taxCents = 0 } = lines[at] ?? {}
    const copied = {
      productName: pickRandom(names, random),
      sku: `SKU-${at}`,
      mpn: null,
      reductionReason: product.reductionCents > 0 ? 'TEN' : null,
    }
    return {
      ...product,
      ...copied,
      includedTaxCents,
      taxCents,
      chargedCents: product.totalCents - includedTaxCents + taxCents,
      isReleased: false,
    }
  }) as unknown as LineRow[]
  const amounts = invoiceAmounts({ ...order, taxTerms } as OrderRow, rows, coin() ? [{ productId: '0', partNumber: 'OWN-1' }] : [])
  const isBusiness = kind === 'reverse charge' || coin()
  const invoice: DocumentData = {
    ...{ kind: 'invoice', number: `2026-${nth}`, issuedOn: '2026-11-26', corrects: null, currency: 'eur' },
    order: { number: 1001 + nth, placedOn: '2026-11-25' },
    seller:
      coin() || kind === 'reverse charge'
        ? testSeller
        : { ...testSeller, vatId: undefined, taxNumber: '30/123/45678', footer: 'Managed by Ada' },
    buyer: {
      ...{ name: 'Ada Byron', company: isBusiness ? 'Analytical Engines' : null, vatId: isBusiness ? 'ATU13585627' : null },
      ...{ address: berlin, addressText: null },
    },
    deliverTo: { name: 'Ada Byron', address: berlin },
    supply: coin() ? { from: '2026-11-27', to: '2026-12-01', by: 'promise' } : monthOf('2026-11-26'),
    delivery: coin() ? { earliest: '2026-11-27', latest: '2026-12-01' } : null,
    ...{ poNumber: coin() ? 'PO-77' : null, buyerReference: coin() ? 'Lab' : null },
    tax: { kind, sentence: terms.sentence, pricesIncludeTax: taxTerms?.pricesIncludeTax ?? false },
    ...amounts,
    payment: { card: coin() ? 'visa 4242' : null, paidOn: '2026-11-26' },
  }
  const [first = assert.fail()] = rows
  const back = creditNoteAmounts(
    invoice,
    [],
    [{ orderLineId: first._id, amountCents: Math.max(1, Math.floor(first.chargedCents / 2)), pieces: 0, restock: 0, isDelivery: false }],
  )
  const corrects = { number: invoice.number, kind: 'invoice', issuedOn: invoice.issuedOn } as const
  return [invoice, { ...invoice, kind: 'credit note', number: `CN-${invoice.number}`, corrects, ...back }]
}

test('O1 invoices and credit notes of every kind of tax, on net and gross prices, follow each rule of EN 16931 that applies, and words, data and sums are the same to the cent', async (t) => {
  const random = seededRandom(18)
  const documents = Array.from({ length: sampleSize(5, 60) }, (_, nth) => makeUpDocuments(random, nth)).flat()
  const processorMs: number[] = []
  for (const data of documents) {
    assert.ok(hasXml(data), data.number)
    const xml = renderXml(data)
    const document = parseXml(xml)
    const said = `${data.number}, ${data.tax.kind}: ${xml}`
    assert.deepEqual(brokenRules(document), [], said)
    assert.equal(totalOf(document), data.totalCents, said)
    const before = process.threadCpuUsage()
    const pdf = await renderPdf(data, xml)
    const { user, system } = process.threadCpuUsage(before)
    processorMs.push((user + system) / 1000)
    const { text, attachments } = await readPdf(pdf)
    assert.equal(new TextDecoder().decode(attachments.get('factur-x.xml')), xml)
    for (const words of [
      data.number,
      formatExactCents(data.totalCents),
      ...data.lines.map(({ name }) => name.replaceAll(/[\p{Script=Han}]/gu, '?')),
    ])
      assert.ok(text.includes(words), `${words} in ${text}`)
  }
  const byTime = processorMs.toSorted((a, b) => a - b).map((ms) => ms.toFixed(0))
  t.diagnostic(
    `${documents.length} documents; a PDF takes ${byTime[byTime.length >> 1]} ms of its thread's processor time, at most ${byTime.at(-1)}`,
  )
})

test('O1 corrected documents of every kind of tax follow each rule of EN 16931 that applies, name the invoice that they replace, and add up to the cent', async (t) => {
  const random = seededRandom(31)
  const made = Array.from({ length: sampleSize(5, 60) }, (_, nth) => makeUpDocuments(random, nth))
  let documents = 0
  for (const [invoice, note] of made) {
    if (!invoice || !note) assert.fail('Nothing was made up')
    const left = amountsLeft(invoice, [note]) ?? assert.fail(`Nothing is left of ${invoice.number}`)
    const common = {
      ...left,
      corrects: { number: invoice.number, kind: 'invoice', issuedOn: invoice.issuedOn },
      isCorrection: true,
    } as const
    const cancelling: DocumentData = { ...invoice, ...common, kind: 'credit note', number: `CN-C-${invoice.number}` }
    const right: DocumentData = {
      ...withWords({ ...invoice, ...left }, { ...wordsOf(invoice), buyer: { ...invoice.buyer, name: 'Grace Hopper' }, poNumber: 'PO-2' }),
      ...common,
      ...{
        kind: 'invoice',
        number: `C-${invoice.number}`,
        supply: { from: '2026-11-27', to: random.coin() ? '2026-11-27' : '2026-12-01', by: 'sent' },
      },
    }
    assert.equal(invoice.totalCents - note.totalCents - cancelling.totalCents + right.totalCents, left.totalCents)
    for (const data of [cancelling, right]) {
      const xml = renderXml(data)
      const document = parseXml(xml)
      assert.deepEqual(
        [brokenRules(document), precedingNumbers(document), totalOf(document)],
        [[], [invoice.number], left.totalCents],
        `${data.number}, ${data.tax.kind}: ${xml}`,
      )
      const { text } = await readPdf(await renderPdf(data, xml))
      for (const words of [data.number, invoice.number, formatExactCents(left.totalCents)])
        assert.ok(text.includes(words), `${words} in ${text}`)
      documents++
    }
    assert.ok(renderXml(right).includes('Grace Hopper') && renderXml(right).includes('PO-2'))
  }
  t.diagnostic(`${documents} documents`)
})

test('O2 numbers of documents have no gap and none is given twice: many are issued at once by several processes, which are killed in between', async (t) => {
  await using store = await createTestStoreWithCards()
  const orders = sampleSize(6, 50)
  for (let nth = 0; nth < orders; nth++) await placePaidOrder(store)
  await setUpSeller(store)
  await waitForWebhooks(store)
  // As if all of them had been asked for twice: what is there already is not issued again.
  await store.db.execute(sql`insert into due_documents (order_id, event) select id, 'paid' from orders where is_paid`)
  let kills = 0
  for (let left = sampleSize(2, 25); left > 0; left--) {
    const other = await createSecondInstance(store)
    const working = [issueDueDocument(store.db), other.jobs.runAllOnce(), issueDueDocument(store.db)].map((work) => work.catch(() => {}))
    await other.crash()
    kills++
    await Promise.all(working)
  }
  while (await issueDueDocument(store.db));
  const { rows } = await store.db.execute<{ serial: number; orders: number }>(
    sql`select serial, count(distinct order_id)::integer as orders from documents group by serial order by serial`,
  )
  assert.deepEqual(
    rows,
    Array.from({ length: orders }, (_, nth) => ({ serial: nth + 1, orders: 1 })),
  )
  assert.deepEqual(await store.faults(), [])
  t.diagnostic(`${orders} invoices, ${kills} kills`)
})
