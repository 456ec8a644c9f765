import { create } from 'xmlbuilder2'
import { type Cents, centsToAmount } from '#shared/money.ts'
import type { PostalAddress } from '#shared/postal-address.ts'
import { formatPlainRate } from '#store/tax/rate-text.ts'
import type { Seller } from './contract.ts'
import type { DocumentBuyer, DocumentData, DocumentLine, Supply } from './document-data.ts'
import { paymentTermsText } from './on-account-text.ts'
import { supplyOf } from './supply.ts'
import { waivedCents, waivedText } from './waived-rest.ts'

/*
 * The data of a document by EN 16931, in the syntax CII (UN/CEFACT Cross Industry Invoice), as Factur-X and ZUGFeRD have it in a PDF. BT and BG are
 * the standard's numbers of terms and groups, BR those of its rules. Elements stand in the order of the syntax. Not `@e-invoice-eu/core`, which
 * loses the invoice that a credit note is for (BG-3) in CII, and the PO number (BT-13) in Factur-X, and takes ten times as long.
 */

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
export const hasXml = ({ kind, tax, seller, buyer }: DocumentData): boolean =>
  kind !== 'pro forma' && buyer.address !== null && (tax.kind !== 'reverse charge' || (seller.vatId !== undefined && buyer.vatId !== null))

/** @throws {TypeError} `hasXml` is false */
export function renderXml(data: DocumentData): string {
  const { buyer, order, corrects, deliverTo, seller } = data
  const supply = supplyOf(data)
  if (!buyer.address) throw new TypeError(`The buyer of ${data.number} has no country`)
  const root = {
    'rsm:CrossIndustryInvoice': {
      ...namespaces,
      'rsm:ExchangedDocumentContext': { 'ram:GuidelineSpecifiedDocumentContextParameter': { 'ram:ID': 'urn:cen.eu:en16931:2017' } },
      'rsm:ExchangedDocument': {
        'ram:ID': data.number,
        'ram:TypeCode': data.kind === 'invoice' ? '380' : '381',
        'ram:IssueDateTime': day(data.issuedOn),
        'ram:IncludedNote': notes(data).map((note) => ({ 'ram:Content': note })),
      },
      'rsm:SupplyChainTradeTransaction': {
        'ram:IncludedSupplyChainTradeLineItem': data.lines.map((line, nth) => lineItem(data, line, nth)),
        'ram:ApplicableHeaderTradeAgreement': {
          ...optional('ram:BuyerReference', data.buyerReference),
          'ram:SellerTradeParty': sellerParty(data, seller),
          'ram:BuyerTradeParty': buyerParty(data, buyer, buyer.address),
          'ram:SellerOrderReferencedDocument': { 'ram:IssuerAssignedID': order.number },
          ...(data.poNumber && { 'ram:BuyerOrderReferencedDocument': { 'ram:IssuerAssignedID': data.poNumber } }),
        },
        'ram:ApplicableHeaderTradeDelivery': {
          ...(deliverTo && {
            'ram:ShipToTradeParty': { 'ram:Name': deliverTo.name, 'ram:PostalTradeAddress': postalAddress(deliverTo.address) },
          }),
          ...deliveryDay(supply),
        },
        'ram:ApplicableHeaderTradeSettlement': {
          ...(data.onAccount?.account && { 'ram:PaymentReference': data.onAccount.reference }),
          'ram:InvoiceCurrencyCode': data.currency.toUpperCase(),
          'ram:SpecifiedTradeSettlementPaymentMeans':
            data.onAccount && !cancels(data) ? creditTransfer(data.onAccount) : paymentMeans(data),
          'ram:ApplicableTradeTax': data.taxes.map((rate) => taxBreakdown(data, rate)),
          ...billingPeriod(supply),
          ...paymentTerms(data),
          'ram:SpecifiedTradeSettlementHeaderMonetarySummation': totals(data),
          ...(corrects && {
            'ram:InvoiceReferencedDocument': {
              'ram:IssuerAssignedID': corrects.number,
              'ram:FormattedIssueDateTime': day(corrects.issuedOn, 'qdt'),
            },
          }),
        },
      },
    },
  }
  // XML 1.0 cannot say control characters, which may have been typed.
  return create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '' }, root).end({ prettyPrint: true })
}

const namespaces = {
  '@xmlns:rsm': 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  '@xmlns:ram': 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  '@xmlns:udt': 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  '@xmlns:qdt': 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
}

const amount = (cents: Cents): string => centsToAmount(cents).toFixed(2)
const day = (on: string, prefix = 'udt') => ({ [`${prefix}:DateTimeString`]: { '@format': '102', '#': on.replaceAll('-', '') } })
const optional = (name: string, text: string | null | undefined) => (text ? { [name]: text } : {})

/** BT-22: what the seller has to say, and why there is no tax. */
const notes = ({ seller, tax }: DocumentData): string[] =>
  [tax.sentence, seller.registration, seller.footer].filter((note) => typeof note === 'string')

/** Outside the scope of VAT the document names no VAT id (BR-O-02). Without one the seller is known by another number (BR-CO-26). */
const isOutsideVat = (data: DocumentData) => data.taxes.some(({ ratePpm }) => taxCategory(data, ratePpm) === 'O')

function sellerParty(data: DocumentData, seller: Seller) {
  const isOutside = isOutsideVat(data)
  return {
    ...((isOutside || !seller.vatId) && optional('ram:ID', seller.taxNumber ?? seller.vatId)),
    'ram:Name': seller.name,
    'ram:DefinedTradeContact': {
      'ram:PersonName': seller.name,
      ...(seller.phone && { 'ram:TelephoneUniversalCommunication': { 'ram:CompleteNumber': seller.phone } }),
      'ram:EmailURIUniversalCommunication': { 'ram:URIID': seller.email },
    },
    'ram:PostalTradeAddress': postalAddress(seller),
    'ram:URIUniversalCommunication': { 'ram:URIID': { '@schemeID': 'EM', '#': seller.email } },
    ...(!isOutside && { 'ram:SpecifiedTaxRegistration': [...registration('VA', seller.vatId), ...registration('FC', seller.taxNumber)] }),
  }
}

/** BT-31 and BT-48 (VA), BT-32 (FC). */
const registration = (schemeId: 'VA' | 'FC', id: string | null | undefined) =>
  id ? [{ 'ram:ID': { '@schemeID': schemeId, '#': id } }] : []

const buyerParty = (data: DocumentData, { name, company, vatId }: DocumentBuyer, address: PostalAddress) => ({
  'ram:Name': company ?? name,
  ...(company && { 'ram:DefinedTradeContact': { 'ram:PersonName': name } }),
  'ram:PostalTradeAddress': postalAddress(address),
  ...(!isOutsideVat(data) && { 'ram:SpecifiedTaxRegistration': registration('VA', vatId) }),
})

const postalAddress = ({ line1, line2, city, postalCode, state, country }: PostalAddress) => ({
  ...optional('ram:PostcodeCode', postalCode),
  'ram:LineOne': line1,
  ...optional('ram:LineTwo', line2),
  ...optional('ram:CityName', city),
  'ram:CountryID': country,
  ...optional('ram:CountrySubDivisionName', state),
})

/**
 * BG-16. UNCL 4461: 48 is a card, of whose number the last digits are known; 97 is set off, as the credit
 * note of a correction is against its invoice; 1 is not known any more.
 */
function paymentMeans(data: DocumentData) {
  if (cancels(data)) return { 'ram:TypeCode': '97' }
  const [, digits] = data.payment.card?.split(' ') ?? []
  return digits ? { 'ram:TypeCode': '48', 'ram:ApplicableTradeSettlementFinancialCard': { 'ram:ID': digits } } : { 'ram:TypeCode': '1' }
}

/** Whether a document is the credit note of a correction. */
const cancels = ({ kind, isCorrection }: DocumentData): boolean => isCorrection === true && kind === 'credit note'

/** BG-16 and BG-17: a credit transfer (UNCL 4461: 58 within SEPA's IBANs) to the seller's account; 1 where none is named. */
const creditTransfer = ({ account }: NonNullable<DocumentData['onAccount']>) =>
  account
    ? {
        'ram:TypeCode': '58',
        'ram:PayeePartyCreditorFinancialAccount': { 'ram:IBANID': account.iban, ...optional('ram:AccountName', account.holder) },
        ...(account.bic && { 'ram:PayeeSpecifiedCreditorFinancialInstitution': { 'ram:BICID': account.bic } }),
      }
    : { 'ram:TypeCode': '1' }

/** BT-20 and BT-9. What an owner has written off stays in the amount that is due (BR-CO-16), so these terms say that it is not asked for. */
function paymentTerms(data: DocumentData) {
  const { onAccount, isCorrection } = data
  const text = onAccount ? paymentTermsText(onAccount, isCorrection) : waivedText(data)
  return (
    text && {
      'ram:SpecifiedTradePaymentTerms': {
        'ram:Description': text,
        ...(onAccount?.dueOn && { 'ram:DueDateDateTime': day(onAccount.dueOn) }),
      },
    }
  )
}

const exemptionCodes: Partial<Record<CategoryCode, string>> = { K: 'VATEX-EU-IC', G: 'VATEX-EU-G', O: 'VATEX-EU-O' }

/** BG-23. */
function taxBreakdown(data: DocumentData, { ratePpm, netCents, taxCents }: DocumentData['taxes'][number]) {
  const code = taxCategory(data, ratePpm)
  const exemption = exemptionCodes[code]
  return {
    'ram:CalculatedAmount': amount(taxCents),
    'ram:TypeCode': 'VAT',
    ...(exemption && { 'ram:ExemptionReason': data.tax.sentence ?? 'Not subject to VAT' }),
    'ram:BasisAmount': amount(netCents),
    'ram:CategoryCode': code,
    ...optional('ram:ExemptionReasonCode', exemption),
    ...rate(code, ratePpm),
  }
}

/** Outside the scope of VAT there is no rate (BR-O-05). */
const rate = (code: CategoryCode, ratePpm: number) => (code === 'O' ? {} : { 'ram:RateApplicablePercent': formatPlainRate(ratePpm) })

/** Whether all was sent on one day. Otherwise the document has a period: an intra-community supply has to have one of both (BR-IC-11). */
const isOfOneDay = ({ from, to, by }: Supply) => by === 'sent' && from === to

/** BT-72. */
const deliveryDay = (supply: Supply) =>
  isOfOneDay(supply) ? { 'ram:ActualDeliverySupplyChainEvent': { 'ram:OccurrenceDateTime': day(supply.to) } } : {}

/** BG-14. */
const billingPeriod = (supply: Supply) =>
  isOfOneDay(supply) ? {} : { 'ram:BillingSpecifiedPeriod': { 'ram:StartDateTime': day(supply.from), 'ram:EndDateTime': day(supply.to) } }

/**
 * BG-22. What is paid by card or transfer is paid when it is invoiced, and what goes back has gone when it is credited, but for what was written off;
 * on account it is still to be paid.
 */
function totals(data: DocumentData) {
  const { netCents, taxCents, totalCents, currency, onAccount } = data
  const dueCents = onAccount ? totalCents : waivedCents(data)
  return {
    'ram:LineTotalAmount': amount(netCents),
    'ram:TaxBasisTotalAmount': amount(netCents),
    'ram:TaxTotalAmount': { '@currencyID': currency.toUpperCase(), '#': amount(taxCents) },
    'ram:GrandTotalAmount': amount(totalCents),
    'ram:TotalPrepaidAmount': amount(totalCents - dueCents),
    'ram:DuePayableAmount': amount(dueCents),
  }
}

/**
 * BG-25. The price is that of all pieces (BT-149 is their number): what one costs without tax need not be a whole number of cents, and the amount of
 * the row has to follow from it.
 */
function lineItem(data: DocumentData, line: DocumentLine, nth: number) {
  const code = taxCategory(data, line.ratePpm)
  const quantity = { '@unitCode': 'C62', '#': line.quantity } // pieces
  return {
    'ram:AssociatedDocumentLineDocument': { 'ram:LineID': nth + 1 },
    'ram:SpecifiedTradeProduct': {
      ...optional('ram:SellerAssignedID', line.sku),
      ...optional('ram:BuyerAssignedID', line.partNumber),
      'ram:Name': line.name,
    },
    'ram:SpecifiedLineTradeAgreement': {
      'ram:NetPriceProductTradePrice': { 'ram:ChargeAmount': amount(line.netCents), 'ram:BasisQuantity': quantity },
    },
    'ram:SpecifiedLineTradeDelivery': { 'ram:BilledQuantity': quantity },
    'ram:SpecifiedLineTradeSettlement': {
      'ram:ApplicableTradeTax': { 'ram:TypeCode': 'VAT', 'ram:CategoryCode': code, ...rate(code, line.ratePpm) },
      'ram:SpecifiedTradeSettlementLineMonetarySummation': { 'ram:LineTotalAmount': amount(line.netCents) },
    },
  }
}
