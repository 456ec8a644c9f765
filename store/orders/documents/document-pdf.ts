import PDFDocument from 'pdfkit'
import { formatDay } from '#shared/format-day.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { Cents } from '#shared/money.ts'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { isUntaxed } from '#store/tax/compute-tax.ts'
import { formatRate } from '#store/tax/rate-text.ts'
import type { Seller } from './contract.ts'
import type { DocumentData, DocumentLine } from './document-data.ts'
import { type DocumentFont, type FontWeight, fitFont } from './document-fonts.ts'
import { formatExactCents } from './exact-amount.ts'
import { facturXFileName, facturXMetadata } from './factur-x.ts'
import { paymentRemark } from './payment-remark.ts'
import { supplyOf, supplyText } from './supply.ts'

/* A document on A4, in points of 1/72 inch. */

const page = { width: 595.28, height: 841.89 }
const left = 56
const right = page.width - 56
const bottom = page.height - 100
const colors = { text: '#16211c', soft: '#55635c', line: '#c9d3ce', brand: '#0b3b2e', accent: '#d9813f' }
/** Where each column of the table ends, or, of the product, begins. */
const columns = { product: left, quantity: 330, unitPrice: 405, rate: 455, amount: right }

type Pdf = PDFKit.PDFDocument
/** `maxHeight`: what would be higher is written smaller, and ends with an ellipsis where that is not enough */
type TextStyle = { size?: number; weight?: FontWeight; color?: string; align?: 'left' | 'right'; width?: number; maxHeight?: number }
const [smallestSize, sizeStep, lineGap] = [5, 0.5, 1.5]

/** @param xml its data by EN 16931, which the PDF/A-3 then has in it as Factur-X does; null: there are none */
export async function renderPdf(data: DocumentData, xml: string | null): Promise<Uint8Array> {
  const title = `${kindName(data)} ${data.number}`
  const doc = new PDFDocument({
    ...{ size: 'A4', margin: 0, autoFirstPage: true, bufferPages: true },
    ...{ subset: 'PDF/A-3b', pdfVersion: '1.7', lang: 'en' },
    info: { Title: title }, // no text that was typed: pdfkit writes it into the metadata as if it were XML
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  drawLetterhead(doc, data.seller)
  let y = drawHead(doc, data, title)
  y = drawTable(doc, data, y)
  y = drawTotals(doc, data, y)
  drawRemarks(doc, data, y)
  drawFooters(doc, data)
  if (xml !== null) attachXml(doc, xml)
  doc.end()
  return ended
}

function attachXml(doc: Pdf, xml: string) {
  const file = { name: facturXFileName, type: 'text/xml', description: 'Invoice data by EN 16931', relationship: 'Alternative' }
  doc.file(Buffer.from(xml), file)
  const { appendXML } = doc as Pdf & { appendXML: (xml: string) => void } // which its types leave out
  appendXML.call(doc, facturXMetadata)
}

const kindNames = { invoice: 'Invoice', 'credit note': 'Credit note', 'pro forma': 'Pro forma invoice' }
const kindName = ({ kind }: Pick<DocumentData, 'kind'>) => kindNames[kind]

/** The font as it was opened once for all documents: reading it anew takes longer than the rest of a document. */
function setFont(doc: Pdf, { font, name }: DocumentFont): Pdf {
  const { font: set } = doc as unknown as { font: (font: DocumentFont['font'], name: string) => Pdf } // which its types leave out
  return set.call(doc, font, name)
}

/** @returns where it ends */
function write(doc: Pdf, text: string, x: number, y: number, style: TextStyle = {}): number {
  const { weight = 'normal', color = colors.text, align = 'left', width = right - x, maxHeight } = style
  const fitted = fitFont(text, weight)
  setFont(doc, fitted.font).fillColor(color)
  const heightAt = (size: number) => doc.fontSize(size).heightOfString(fitted.text, { width, lineGap })
  let { size = 9 } = style
  while (maxHeight !== undefined && size > smallestSize && heightAt(size) > maxHeight) size -= sizeStep
  const height = heightAt(size)
  doc.text(fitted.text, x, y, { width, align, lineGap, ...(maxHeight !== undefined && { height: maxHeight, ellipsis: true }) })
  return y + Math.min(height, maxHeight ?? height)
}

const writeRight = (doc: Pdf, text: string, end: number, y: number, style: TextStyle = {}) =>
  write(doc, text, end - 120, y, { ...style, width: 120, align: 'right' })

const drawRule = (doc: Pdf, y: number, color = colors.line) =>
  doc.moveTo(left, y).lineTo(right, y).lineWidth(0.6).strokeColor(color).stroke()

/** The shop's mark, as in public/favicon.svg, and who sells. */
function drawLetterhead(doc: Pdf, seller: Seller) {
  doc.save().translate(left, 48).scale(1.1)
  doc.roundedRect(0, 0, 32, 32, 7).fill(colors.brand)
  doc.path('M8 24V13l5-5h6M24 8v11l-5 5h-6').lineWidth(4).lineCap('round').lineJoin('round').stroke('#f4faf7')
  doc.circle(8, 24, 3).circle(24, 8, 3).fill('#f4faf7')
  doc.circle(16, 16, 4).fill(colors.accent)
  doc.restore()
  write(doc, seller.name, left + 46, 52, { size: 13, weight: 'bold', width: 220, maxHeight: 80 })
  const contact = [
    ...formatPostalAddress(seller),
    seller.email,
    seller.phone,
    seller.vatId && `VAT id ${seller.vatId}`,
    seller.taxNumber && `Tax number ${seller.taxNumber}`,
  ]
  const style = { size: 8, color: colors.soft, width: 190, align: 'right', maxHeight: 96 } as const
  write(doc, contact.filter((line) => line).join('\n'), right - 190, 48, style)
}

/** To whom, and what it is about. @returns where it ends */
function drawHead(doc: Pdf, data: DocumentData, title: string): number {
  const { buyer, deliverTo } = data
  const top = 150
  const lines = [
    ...(buyer.company ? [buyer.company] : []),
    buyer.name,
    ...(buyer.address ? formatPostalAddress(buyer.address) : firstLines(buyer.addressText ?? '')),
    ...(buyer.vatId ? [`VAT id ${buyer.vatId}`] : []),
  ]
  const addressEnd = write(doc, lines.join('\n'), left, top, { size: 10, width: 220, maxHeight: 240 })
  let factsEnd = top
  for (const [name, value] of facts(data)) {
    write(doc, name, 320, factsEnd, { color: colors.soft, width: 100 })
    factsEnd = write(doc, value, 420, factsEnd, { width: right - 420, maxHeight: 36 })
  }
  if (deliverTo && !isSamePlace(data)) {
    write(doc, 'Delivered to', 320, factsEnd, { color: colors.soft, width: 100 })
    const place = [deliverTo.name, ...formatPostalAddress(deliverTo.address)].join('\n')
    factsEnd = write(doc, place, 420, factsEnd, { width: right - 420, maxHeight: 160 })
  }
  return write(doc, title, left, Math.max(addressEnd, factsEnd) + 28, { size: 18, weight: 'bold' }) + 14
}

/** Of an address that is a text: it may have been typed in hundreds of lines. */
const maxAddressLines = 8
function firstLines(text: string): string[] {
  const lines = text.slice(0, 400).split(/\s*\n\s*/)
  return lines.length > maxAddressLines ? [...lines.slice(0, maxAddressLines - 1), lines.slice(maxAddressLines - 1).join(', ')] : lines
}

const isSamePlace = ({ deliverTo, buyer }: DocumentData) => JSON.stringify(deliverTo?.address) === JSON.stringify(buyer.address)

const correctsLabel = ({ kind, corrects, isCorrection }: DocumentData) =>
  isCorrection && kind === 'invoice' ? 'Replaces invoice' : `For ${corrects ? kindName(corrects).toLowerCase() : ''}`

const facts = (data: DocumentData): [string, string][] => [
  ['Number', data.number],
  ['Date', formatDay(data.issuedOn)],
  ...(data.corrects ? [[correctsLabel(data), `${data.corrects.number}, ${formatDay(data.corrects.issuedOn)}`] as [string, string]] : []),
  ['Order', `${data.order.number}, ${formatDay(data.order.placedOn)}`],
  ...(data.kind === 'pro forma' ? [] : [['Delivery', supplyText(supplyOf(data))] as [string, string]]),
  ...(data.onAccount?.parcel
    ? [['Parcel', `${data.onAccount.parcel}, sent on ${formatDay(data.onAccount.sentOn)}`] as [string, string]]
    : []),
  ...(data.onAccount?.dueOn ? [['Due on', formatDay(data.onAccount.dueOn)] as [string, string]] : []),
  ...(data.poNumber ? [['Your PO number', data.poNumber] as [string, string]] : []),
  ...(data.buyerReference ? [['Your reference', data.buyerReference] as [string, string]] : []),
]

/** Whether amounts are shown with their tax, as the shop's prices are; where tax was taken out of them, they are shown without. */
const showsGross = ({ tax }: DocumentData) => tax.pricesIncludeTax && !isUntaxed(tax.kind)

const shownAmount = (data: DocumentData, { netCents, taxCents }: Pick<DocumentLine, 'netCents' | 'taxCents'>): Cents =>
  showsGross(data) ? netCents + taxCents : netCents

const hasRates = ({ tax }: DocumentData) => tax.kind !== 'none'

function drawTableHead(doc: Pdf, data: DocumentData, y: number): number {
  const style = { size: 8, weight: 'bold', color: colors.soft } as const
  write(doc, 'Product', columns.product, y, style)
  writeRight(doc, 'Pieces', columns.quantity, y, style)
  writeRight(doc, 'Price', columns.unitPrice, y, style)
  if (hasRates(data)) writeRight(doc, 'Tax', columns.rate, y, style)
  const end = writeRight(doc, hasRates(data) ? `Amount ${showsGross(data) ? 'with' : 'without'} tax` : 'Amount', columns.amount, y, style)
  drawRule(doc, end + 3)
  return end + 9
}

/** A new page where what comes next would not fit. @returns where it goes on */
function breakPage(doc: Pdf, y: number, height: number): { y: number; isNew: boolean } {
  if (y + height <= bottom) return { y, isNew: false }
  doc.addPage()
  return { y: 56, isNew: true }
}

function drawTable(doc: Pdf, data: DocumentData, start: number): number {
  let y = drawTableHead(doc, data, start)
  for (const line of data.lines) {
    const next = breakPage(doc, y, lineHeight(doc, line))
    y = next.isNew ? drawTableHead(doc, data, next.y) : next.y
    y = drawLine(doc, data, line, y) + 5
  }
  drawRule(doc, y)
  return y + 8
}

const productWidth = 225

/** How much of the page a row of the table takes. */
const lineHeight = (doc: Pdf, line: DocumentLine): number =>
  [{ text: line.name, size: 9 }, ...lineDetails(line).map((text) => ({ text, size: 8 }))].reduce((sum, { text, size }) => {
    const fitted = fitFont(text, 'normal')
    return sum + setFont(doc, fitted.font).fontSize(size).heightOfString(fitted.text, { width: productWidth, lineGap: 1.5 })
  }, 5)

function drawLine(doc: Pdf, data: DocumentData, line: DocumentLine, y: number): number {
  let end = write(doc, line.name, columns.product, y, { width: productWidth })
  for (const detail of lineDetails(line))
    end = write(doc, detail, columns.product, end, { size: 8, color: colors.soft, width: productWidth })
  if (line.kind === 'goods') writeRight(doc, formatNumber(line.quantity), columns.quantity, y)
  if (line.kind === 'goods') writeRight(doc, priceText(data, line), columns.unitPrice, y)
  if (hasRates(data)) writeRight(doc, formatRate(line.ratePpm), columns.rate, y)
  writeRight(doc, formatExactCents(shownAmount(data, line)), columns.amount, y)
  return end
}

/** Of a piece or, where that need not be a whole number of cents, of all pieces. */
const priceText = (data: DocumentData, line: DocumentLine): string => {
  if (line.unitPriceCents !== null) return formatExactCents(line.unitPriceCents)
  const amountCents = shownAmount(data, line)
  if (amountCents % line.quantity === 0) return formatExactCents(amountCents / line.quantity)
  return `${formatExactCents(amountCents)} for ${formatNumber(line.quantity)}`
}

const lineDetails = ({ sku, mpn, partNumber, reductionCents, reductionReason }: DocumentLine): string[] => [
  ...[[sku && `SKU ${sku}`, mpn && mpn !== sku && `part number ${mpn}`].filter(Boolean).join(', ')].filter(Boolean),
  ...(partNumber ? [`Your part number ${partNumber}`] : []),
  ...(reductionCents > 0 ? [`less ${formatExactCents(reductionCents)} by the code ${reductionReason}`] : []),
]

/** Net and tax of each rate, and the total. @returns where they end */
function drawTotals(doc: Pdf, data: DocumentData, start: number): number {
  const rows: [string, string][] = hasRates(data)
    ? [
        ['Sum without tax', formatExactCents(data.netCents)],
        ...data.taxes.map(({ ratePpm, netCents, taxCents }): [string, string] => [
          `${formatRate(ratePpm)} tax on ${formatExactCents(netCents)}`,
          formatExactCents(taxCents),
        ]),
      ]
    : []
  let { y } = breakPage(doc, start, rows.length * 14 + 60)
  for (const [label, amount] of rows) {
    write(doc, label, 320, y, { color: colors.soft, width: 160 })
    y = writeRight(doc, amount, columns.amount, y) + 2
  }
  const isCredit = data.kind === 'credit note'
  const isOwed = data.isCorrection || data.onAccount
  const total = isCredit ? (isOwed ? 'Total that is credited' : 'Total that goes back') : 'Total'
  write(doc, total, 320, y + 2, { size: 11, weight: 'bold', width: 160 })
  return (
    writeRight(doc, `${formatExactCents(data.totalCents)} ${data.currency.toUpperCase()}`, columns.amount, y + 2, {
      size: 11,
      weight: 'bold',
    }) + 16
  )
}

function drawRemarks(doc: Pdf, data: DocumentData, start: number) {
  const remarks = [data.tax.sentence, paymentRemark(data)].filter((remark) => remark !== null)
  let { y } = breakPage(doc, start, remarks.length * 30)
  for (const remark of remarks) y = write(doc, remark, left, y, { width: right - left }) + 6
}

/** Who sells, once more, and the number of each page. */
function drawFooters(doc: Pdf, { seller, number }: DocumentData) {
  const { start, count } = doc.bufferedPageRange()
  for (let nth = start; nth < start + count; nth++) {
    doc.switchToPage(nth)
    drawRule(doc, page.height - 84)
    const said = [seller.name, seller.registration, seller.footer]
      .filter((text) => text !== undefined)
      .join(' · ')
      .replaceAll(/\s+/g, ' ')
    const style = { size: 7.5, color: colors.soft } as const
    write(doc, said, left, page.height - 76, { ...style, width: 380, maxHeight: 60 })
    writeRight(doc, `${number}, page ${nth - start + 1} of ${count}`, right, page.height - 76, style)
  }
}
