import { type Invoice, InvoiceService } from '@e-invoice-eu/core'
import { type Cents, centsToAmount } from '#shared/money.ts'
import type { PostalAddress } from '#shared/postal-address.ts'
import { formatPlainRate } from '#store/tax/rate-text.ts'
import type { Seller } from './contract.ts'
import type { DocumentBuyer, DocumentData, DocumentLine } from './document-data.ts'

/*
 * A document by EN 16931. `@e-invoice-eu/core` writes the syntax from terms named as in UBL and puts it into a PDF; which terms there are, and that
 * they follow the rules of the standard, is said here. BT and BG are its numbers of terms and groups.
 */

type Ubl = Invoice['ubl:Invoice']
type CategoryCode = 'S' | 'Z' | 'K' | 'G' | 'O'

/** The tax category of a rate (UNCL 5305). Exports of a shop that has no VAT id, and what is taxed nowhere, are outside the scope of VAT. */
export function taxCategory({ tax, seller }: Pick<DocumentData, 'tax' | 'seller'>, ratePpm: number): CategoryCode {
  if (tax.kind === 'reverse charge') return 'K'
  if (tax.kind === 'export') return seller.vatId ? 'G' : 'O'
  if (tax.kind === 'none') return 'O'
  return ratePpm > 0 ? 'S' : 'Z'
}

/**
 * Whether the standard can say this document: it asks for the buyer's country (BR-11), which orders by `POST /purchase` need not have, and for both
 * VAT ids where there is reverse charge (BR-IC-02).
 */
export const hasXml = ({ tax, seller, buyer }: DocumentData): boolean =>
  buyer.address !== null && (tax.kind !== 'reverse charge' || (seller.vatId !== undefined && buyer.vatId !== null))

const warnNobody = { log() {}, warn() {}, error() {} }
const service = new InvoiceService(warnNobody)

/** @returns the XML in the syntax CII. @throws a document that does not fit the library's schema */
export async function renderXml(data: DocumentData): Promise<string> {
  const xml = await service.generate(toInvoice(data), { format: 'CII', lang: 'en', noWarnings: true })
  return typeof xml === 'string' ? xml : new TextDecoder().decode(xml)
}

/** @returns the PDF as PDF/A-3 with the XML in it (Factur-X, profile EN 16931) */
export async function embedXml(data: DocumentData, pdf: Uint8Array): Promise<Uint8Array> {
  const source = { buffer: pdf, filename: `${data.number}.pdf`, mimetype: 'application/pdf' }
  const hybrid = await service.generate(toInvoice(data), { format: 'Factur-X-EN16931', lang: 'en', pdf: source, noWarnings: true })
  if (typeof hybrid === 'string') throw new Error('The PDF with its data was not made')
  return hybrid
}

const amount = (cents: Cents): string => centsToAmount(cents).toFixed(2)
const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } }

/** @throws {TypeError} `hasXml` is false */
function toInvoice(data: DocumentData): Invoice {
  const { buyer, order, corrects, payment, deliverTo } = data
  if (!buyer.address) throw new TypeError(`The buyer of ${data.number} has no country`)
  const invoice = {
    'cbc:ID': data.number,
    'cbc:IssueDate': data.issuedOn,
    'cbc:InvoiceTypeCode': data.kind === 'invoice' ? '380' : '381',
    ...notes(data),
    'cbc:DocumentCurrencyCode': data.currency.toUpperCase(),
    ...(data.buyerReference && { 'cbc:BuyerReference': data.buyerReference }),
    ...deliveryPeriod(data),
    ...(data.poNumber && { 'cac:OrderReference': { 'cbc:ID': data.poNumber, 'cbc:SalesOrderID': `${order.number}` } }),
    ...(corrects && {
      'cac:BillingReference': [{ 'cac:InvoiceDocumentReference': { 'cbc:ID': corrects.number, 'cbc:IssueDate': corrects.issuedOn } }],
    }),
    'cac:AccountingSupplierParty': { 'cac:Party': sellerParty(data) },
    'cac:AccountingCustomerParty': { 'cac:Party': buyerParty(data, buyer, buyer.address) },
    ...(deliverTo && {
      'cac:Delivery': {
        'cac:DeliveryLocation': { 'cac:Address': postalAddress(deliverTo.address) },
        'cac:DeliveryParty': { 'cac:PartyName': { 'cbc:Name': deliverTo.name } },
      },
    }),
    'cac:PaymentMeans': [paymentMeans(payment.card)],
    ...totals(data),
    'cac:InvoiceLine': data.lines.map((line, nth) => invoiceLine(data, line, nth)),
  }
  return { 'ubl:Invoice': invoice as unknown as Ubl } // the codes of currencies and countries are lists of literals there
}

/** BT-22: the order, which the library has in BT-14 only beside a PO number, what the seller has to say, and why there is no tax. */
const notes = ({ seller, tax, order }: DocumentData) => ({
  'cbc:Note': [`Order ${order.number}`, tax.sentence, seller.registration, seller.footer].filter((note) => typeof note === 'string'),
})

/** BG-14, which an intra-community supply has to have (BR-IC-11): it is invoiced before it is delivered, so the promised days are named. */
const deliveryPeriod = ({ tax, delivery, payment }: DocumentData) =>
  tax.kind === 'reverse charge'
    ? {
        'cac:InvoicePeriod': {
          'cbc:StartDate': delivery?.earliest ?? payment.paidOn,
          'cbc:EndDate': delivery?.latest ?? payment.paidOn,
        },
      }
    : {}

/** Outside the scope of VAT the document names no VAT id (BR-O-02); the seller is then known by another number (BR-CO-26). */
const isOutsideVat = (data: DocumentData) => data.taxes.some(({ ratePpm }) => taxCategory(data, ratePpm) === 'O')

function sellerParty(data: DocumentData) {
  const { seller } = data
  const outside = isOutsideVat(data)
  const identifier = outside ? (seller.taxNumber ?? seller.vatId) : undefined
  return {
    'cbc:EndpointID': seller.email,
    'cbc:EndpointID@schemeID': 'EM',
    ...(identifier && { 'cac:PartyIdentification': [{ 'cbc:ID': identifier }] }),
    'cac:PostalAddress': postalAddress(seller),
    ...(!outside && { 'cac:PartyTaxScheme': sellerTaxSchemes(seller) }),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': seller.name },
    'cac:Contact': {
      'cbc:Name': seller.name,
      ...(seller.phone && { 'cbc:Telephone': seller.phone }),
      'cbc:ElectronicMail': seller.email,
    },
  }
}

/** BT-31 and BT-32. */
const sellerTaxSchemes = ({ vatId, taxNumber }: Seller) => [
  ...(vatId ? [{ 'cbc:CompanyID': vatId, ...vat }] : []),
  ...(taxNumber ? [{ 'cbc:CompanyID': taxNumber, 'cac:TaxScheme': { 'cbc:ID': 'FC' } }] : []),
]

const buyerParty = (data: DocumentData, { name, company, vatId }: DocumentBuyer, address: PostalAddress) => ({
  'cac:PostalAddress': postalAddress(address),
  ...(vatId && !isOutsideVat(data) && { 'cac:PartyTaxScheme': { 'cbc:CompanyID': vatId, ...vat } }),
  'cac:PartyLegalEntity': { 'cbc:RegistrationName': company ?? name },
  ...(company && { 'cac:Contact': { 'cbc:Name': name } }),
})

const postalAddress = ({ line1, line2, city, postalCode, state, country }: PostalAddress) => ({
  'cbc:StreetName': line1,
  ...(line2 && { 'cbc:AdditionalStreetName': line2 }),
  ...(city && { 'cbc:CityName': city }),
  ...(postalCode && { 'cbc:PostalZone': postalCode }),
  ...(state && { 'cbc:CountrySubentity': state }),
  'cac:Country': { 'cbc:IdentificationCode': country },
})

/** UNCL 4461: 48 is a card; of its number the last digits are known. 1: not known any more. */
function paymentMeans(card: string | null) {
  const [network = '', digits] = card?.split(' ') ?? []
  if (!digits) return { 'cbc:PaymentMeansCode': '1' }
  return { 'cbc:PaymentMeansCode': '48', 'cac:CardAccount': { 'cbc:PrimaryAccountNumberID': digits, 'cbc:NetworkID': network } }
}

/** BG-22 and BG-23. What is paid by card is paid when it is invoiced, and what goes back by card has gone when it is credited. */
function totals(data: DocumentData) {
  const currency = data.currency.toUpperCase()
  const money = <Name extends string>(name: Name, cents: Cents) => ({ [name]: amount(cents), [`${name}@currencyID`]: currency })
  const subtotals = data.taxes.map(({ ratePpm, netCents, taxCents }) => ({
    ...money('cbc:TaxableAmount', netCents),
    ...money('cbc:TaxAmount', taxCents),
    'cac:TaxCategory': { ...category(data, ratePpm), ...exemption(data, ratePpm), ...vat },
  }))
  return {
    'cac:TaxTotal': [{ ...money('cbc:TaxAmount', data.taxCents), 'cac:TaxSubtotal': subtotals }],
    'cac:LegalMonetaryTotal': {
      ...money('cbc:LineExtensionAmount', data.netCents),
      ...money('cbc:TaxExclusiveAmount', data.netCents),
      ...money('cbc:TaxInclusiveAmount', data.totalCents),
      ...money('cbc:PrepaidAmount', data.totalCents),
      ...money('cbc:PayableAmount', 0),
    },
  }
}

/** Outside the scope of VAT there is no rate (BR-O-05). */
function category(data: DocumentData, ratePpm: number) {
  const code = taxCategory(data, ratePpm)
  return { 'cbc:ID': code, ...(code !== 'O' && { 'cbc:Percent': formatPlainRate(ratePpm) }) }
}

const exemptionCodes: Partial<Record<CategoryCode, string>> = { K: 'VATEX-EU-IC', G: 'VATEX-EU-G', O: 'VATEX-EU-O' }

function exemption(data: DocumentData, ratePpm: number) {
  const code = exemptionCodes[taxCategory(data, ratePpm)]
  if (!code) return {}
  return { 'cbc:TaxExemptionReasonCode': code, 'cbc:TaxExemptionReason': data.tax.sentence ?? 'Not subject to VAT' }
}

/**
 * BG-25. The price is that of all pieces (BT-149 is their number): what one costs without tax need not be a whole number of cents, and the amount of
 * the row has to follow from it.
 */
function invoiceLine(data: DocumentData, line: DocumentLine, nth: number) {
  const currency = data.currency.toUpperCase()
  return {
    'cbc:ID': `${nth + 1}`,
    'cbc:InvoicedQuantity': `${line.quantity}`,
    'cbc:InvoicedQuantity@unitCode': 'C62', // a piece
    'cbc:LineExtensionAmount': amount(line.netCents),
    'cbc:LineExtensionAmount@currencyID': currency,
    'cac:Item': {
      'cbc:Name': line.name,
      ...(line.partNumber && { 'cac:BuyersItemIdentification': { 'cbc:ID': line.partNumber } }),
      ...(line.sku && { 'cac:SellersItemIdentification': { 'cbc:ID': line.sku } }),
      'cac:ClassifiedTaxCategory': { ...category(data, line.ratePpm), ...vat },
    },
    'cac:Price': {
      'cbc:PriceAmount': amount(line.netCents),
      'cbc:PriceAmount@currencyID': currency,
      'cbc:BaseQuantity': `${line.quantity}`,
      'cbc:BaseQuantity@unitCode': 'C62',
    },
  }
}
