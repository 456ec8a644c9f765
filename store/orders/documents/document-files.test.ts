import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XMLValidator } from 'fast-xml-parser'
import { berlin } from '#test/checkout-actions.ts'
import { parseXml, readPdf, testSeller } from '#test/document-actions.ts'
import { brokenRules } from '#test/en16931.ts'
import type { DocumentData, DocumentLine } from './document-data.ts'
import { renderPdf } from './document-pdf.ts'
import { renderXml } from './document-xml.ts'

const line: DocumentLine = {
  ...{ kind: 'goods', orderLineId: 'a', name: 'Drill', sku: 'SKU-1', mpn: null, partNumber: null, quantity: 1, unitPriceCents: 1000 },
  ...{ reductionCents: 0, reductionReason: null, ratePpm: 190_000, netCents: 1000, taxCents: 190 },
}

function invoiceOf(lines: DocumentLine[], buyer: Partial<DocumentData['buyer']> = {}): DocumentData {
  const netCents = lines.reduce((sum, each) => sum + each.netCents, 0)
  const taxCents = lines.reduce((sum, each) => sum + each.taxCents, 0)
  return {
    ...{ kind: 'invoice', number: '2026-00001', issuedOn: '2026-11-26', corrects: null, currency: 'eur', seller: testSeller },
    order: { number: 1001, placedOn: '2026-11-25' },
    buyer: { name: 'Ada Byron', company: null, vatId: null, address: berlin, addressText: null, ...buyer },
    ...{ deliverTo: null, delivery: null, poNumber: null, buyerReference: null },
    tax: { kind: 'domestic', sentence: null, pricesIncludeTax: false },
    lines,
    taxes: [{ ratePpm: 190_000, netCents, taxCents }],
    ...{ netCents, taxCents, totalCents: netCents + taxCents },
    payment: { card: 'visa 4242', paidOn: '2026-11-26' },
  }
}

test('whatever was typed, the XML is one and the PDF has no character without a glyph', async () => {
  const typed = 'Ada\u0000\u0001\u001f\ufffe\ud800 <b>&amp; "Byron"</b> ]]> 螺丝刀 \u202e😀'
  const data = invoiceOf([{ ...line, name: typed }], { name: typed, company: typed })
  const xml = renderXml(data)
  const isInXml = (character: string) =>
    ['\t', '\n', '\r'].includes(character) || (character >= ' ' && character !== '\ufffe' && character !== '\uffff')
  assert.ok(xml.isWellFormed() && [...xml].every(isInXml))
  assert.deepEqual(brokenRules(parseXml(xml)), [])
  const { text } = await readPdf(await renderPdf(data, xml))
  assert.ok(text.includes('<b>&amp; "Byron"</b>'), text)
})

test('a document of a hundred rows with the longest names goes over several pages, each with its number, and no row is lost', async () => {
  const name = (nth: number) => `Product ${nth} ${'W'.repeat(60)} ${'with a long name '.repeat(8)}`.slice(0, 200)
  const lines = Array.from({ length: 100 }, (_, nth) => ({ ...line, name: name(nth), partNumber: `OWN-${nth}` }))
  const data = invoiceOf(lines, { company: 'W'.repeat(80) })
  const { text } = await readPdf(await renderPdf(data, renderXml(data)))
  const pages = Number(/page 1 of (\d+)/.exec(text)?.[1])
  assert.ok(pages > 3, `${pages} pages`)
  for (let nth = 1; nth <= pages; nth++) assert.ok(text.includes(`2026-00001, page ${nth} of ${pages}`), `page ${nth}`)
  for (const { partNumber } of lines) assert.ok(text.includes(`Your part number ${partNumber}`), `${partNumber}`)
  assert.ok(text.includes('$1,190.00 EUR'))
})

test('a name with the characters of XML breaks no metadata, and an address of hundreds of lines stays on the page', async () => {
  const data = invoiceOf([line], { address: null, addressText: 'x\n'.repeat(500) })
  const pdf = Buffer.from(await renderPdf({ ...data, seller: { ...testSeller, name: 'Müller & Söhne <GmbH>' } }, null)).toString('latin1')
  const metadata = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(pdf)?.[0] ?? assert.fail('It has no metadata')
  assert.equal(XMLValidator.validate(metadata), true)
  assert.match(pdf, /\/Count 1\b/)
})

test('the longest words that anybody may type leave head and foot of a document on its page', async () => {
  const longest = (length: number) => 'W'.repeat(length)
  const address = { country: 'DE', line1: longest(100), line2: longest(100), city: longest(60), postalCode: longest(20) }
  const seller = {
    ...testSeller,
    name: longest(100),
    registration: longest(100),
    footer: 'Managed by\n'.repeat(27),
    email: `${longest(240)}@a.example`,
  }
  const data = { ...invoiceOf([line], { company: longest(100), name: longest(80), address }), seller }
  const whole = {
    ...data,
    deliverTo: { name: longest(80), address: { ...address, city: longest(59) } },
    poNumber: longest(50),
    buyerReference: longest(50),
  }
  const { text } = await readPdf(await renderPdf(whole, null))
  const pages = Number(/page 1 of (\d+)/.exec(text)?.[1])
  assert.ok(pages <= 2, `${pages} pages`)
  assert.match(Buffer.from(await renderPdf(whole, null)).toString('latin1'), new RegExp(`/Count ${pages}\\b`), 'each has its number')
  assert.ok(text.includes('$11.90 EUR') && text.includes('Managed by Managed by'), text)
})
