import type { XmlElement } from './document-actions.ts'

/*
 * The business rules of EN 16931-1 that apply to what the store writes, by their numbers, on the syntax CII. No allowances or charges of the whole
 * document, no payee, no tax representative and no periods of rows are written, so the rules about these have nothing to say.
 */

const all = (from: XmlElement | undefined, path: string): XmlElement[] =>
  path.split('/').reduce<XmlElement[]>((found, name) => found.flatMap((element) => element[name] ?? []), from ? [from] : [])
const text = (from: XmlElement | undefined, path: string): string => all(from, path)[0]?.['#text'] ?? ''
const cents = (amount: string): number => Math.round(Number(amount) * 100)
const sum = (amounts: number[]): number => amounts.reduce((total, each) => total + each, 0)

type Read = ReturnType<typeof read>
type Rate = { taxable: number; tax: number; code: string; rate: string; reason: string; reasonCode: string }
type Row = { element: XmlElement; net: number; code: string; rate: string }

function read(document: XmlElement) {
  const [root] = all(document, 'CrossIndustryInvoice')
  const [trade] = all(root, 'SupplyChainTradeTransaction')
  const [agreement, delivery, settlement] = ['Agreement', 'Delivery', 'Settlement'].map(
    (part) => all(trade, `ApplicableHeaderTrade${part}`)[0],
  )
  const [totals] = all(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const rows = all(trade, 'IncludedSupplyChainTradeLineItem').map((element): Row => {
    const [tax] = all(element, 'SpecifiedLineTradeSettlement/ApplicableTradeTax')
    return {
      element,
      net: cents(text(element, 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount')),
      code: text(tax, 'CategoryCode'),
      rate: text(tax, 'RateApplicablePercent'),
    }
  })
  const rates = all(settlement, 'ApplicableTradeTax').map(
    (tax): Rate => ({
      taxable: cents(text(tax, 'BasisAmount')),
      tax: cents(text(tax, 'CalculatedAmount')),
      code: text(tax, 'CategoryCode'),
      rate: text(tax, 'RateApplicablePercent'),
      reason: text(tax, 'ExemptionReason'),
      reasonCode: text(tax, 'ExemptionReasonCode'),
    }),
  )
  const amount = (name: string) => cents(text(totals, name))
  return { root, agreement, delivery, settlement, totals, rows, rates, amount }
}

const seller = ({ agreement }: Read) => all(agreement, 'SellerTradeParty')[0]
const buyer = ({ agreement }: Read) => all(agreement, 'BuyerTradeParty')[0]
const registrations = (party: XmlElement | undefined) =>
  all(party, 'SpecifiedTaxRegistration/ID').map((id) => ({ scheme: `${id['@schemeID']}`, id: id['#text'] ?? '' }))
const hasVatId = (party: XmlElement | undefined) => registrations(party).some(({ scheme, id }) => scheme === 'VA' && /^[A-Z]{2}/.test(id))
const has = (read: Read, code: string) => read.rows.some((row) => row.code === code)
const onlyIf = (condition: boolean, holds: boolean) => !condition || holds
const every = <Each>(list: Each[], holds: (each: Each) => boolean) => list.length > 0 && list.every(holds)

/** Codes 30 and 58 of UNCL 4461. */
const isCreditTransfer = (settlement: XmlElement | undefined) =>
  /^(30|58)$/.test(text(settlement, 'SpecifiedTradeSettlementPaymentMeans/TypeCode'))
const transferAccount = (settlement: XmlElement | undefined) =>
  text(settlement, 'SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID')

/** Rows and breakdown of a category: one breakdown for each of its rates, of the sum of the rows at that rate. */
const breakdownFits = ({ rows, rates }: Read, code: string) => {
  const ofCode = rows.filter((row) => row.code === code)
  const used = new Set(ofCode.map(({ rate }) => rate))
  const listed = rates.filter((rate) => rate.code === code)
  return (
    listed.length === used.size &&
    listed.every(({ rate, taxable }) => used.has(rate) && taxable === sum(ofCode.filter((row) => row.rate === rate).map(({ net }) => net)))
  )
}
const untaxed = (read: Read, code: string) => read.rates.filter((rate) => rate.code === code).every(({ tax }) => tax === 0)
const isExplained = (read: Read, code: string, reasonCode: string) =>
  read.rates.filter((rate) => rate.code === code).every((rate) => rate.reasonCode === reasonCode && rate.reason !== '')

const rules: [rule: string, holds: (read: Read) => boolean][] = [
  [
    'BR-01',
    ({ root }) => text(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID') === 'urn:cen.eu:en16931:2017',
  ],
  ['BR-02', ({ root }) => text(root, 'ExchangedDocument/ID') !== ''],
  ['BR-03', ({ root }) => /^\d{8}$/.test(text(root, 'ExchangedDocument/IssueDateTime/DateTimeString'))],
  ['BR-04', ({ root }) => ['380', '381'].includes(text(root, 'ExchangedDocument/TypeCode'))],
  ['BR-05', ({ settlement }) => /^[A-Z]{3}$/.test(text(settlement, 'InvoiceCurrencyCode'))],
  ['BR-06', (read) => text(seller(read), 'Name') !== ''],
  ['BR-07', (read) => text(buyer(read), 'Name') !== ''],
  ['BR-08', (read) => all(seller(read), 'PostalTradeAddress').length === 1],
  ['BR-09', (read) => /^[A-Z]{2}$/.test(text(seller(read), 'PostalTradeAddress/CountryID'))],
  ['BR-10', (read) => all(buyer(read), 'PostalTradeAddress').length === 1],
  ['BR-11', (read) => /^[A-Z]{2}$/.test(text(buyer(read), 'PostalTradeAddress/CountryID'))],
  ['BR-12', ({ totals }) => text(totals, 'LineTotalAmount') !== ''],
  ['BR-13', ({ totals }) => text(totals, 'TaxBasisTotalAmount') !== ''],
  ['BR-14', ({ totals }) => text(totals, 'GrandTotalAmount') !== ''],
  ['BR-15', ({ totals }) => text(totals, 'DuePayableAmount') !== ''],
  ['BR-16', ({ rows }) => rows.length > 0],
  ['BR-21', ({ rows }) => every(rows, ({ element }) => text(element, 'AssociatedDocumentLineDocument/LineID') !== '')],
  ['BR-22', ({ rows }) => every(rows, ({ element }) => Number(text(element, 'SpecifiedLineTradeDelivery/BilledQuantity')) > 0)],
  [
    'BR-23',
    ({ rows }) => every(rows, ({ element }) => `${all(element, 'SpecifiedLineTradeDelivery/BilledQuantity')[0]?.['@unitCode']}` === 'C62'),
  ],
  ['BR-24', ({ rows }) => every(rows, ({ net }) => Number.isInteger(net))],
  ['BR-25', ({ rows }) => every(rows, ({ element }) => text(element, 'SpecifiedTradeProduct/Name') !== '')],
  ['BR-26', ({ rows }) => every(rows, ({ element }) => text(element, `${price}/ChargeAmount`) !== '')],
  ['BR-27', ({ rows }) => every(rows, ({ element }) => Number(text(element, `${price}/ChargeAmount`)) >= 0)],
  ['BR-45', ({ rates }) => every(rates, ({ taxable }) => Number.isInteger(taxable))],
  ['BR-46', ({ rates }) => every(rates, ({ tax }) => Number.isInteger(tax))],
  ['BR-47', ({ rates }) => every(rates, ({ code }) => code !== '')],
  ['BR-48', ({ rates }) => every(rates, ({ code, rate }) => (code === 'O' ? rate === '' : rate !== ''))],
  ['BR-49', ({ settlement }) => text(settlement, 'SpecifiedTradeSettlementPaymentMeans/TypeCode') !== ''],
  [
    'BR-51',
    ({ settlement }) =>
      all(settlement, 'SpecifiedTradeSettlementPaymentMeans/ApplicableTradeSettlementFinancialCard/ID').every((id) =>
        /^\d{4,6}$/.test(id['#text'] ?? ''),
      ),
  ],
  [
    'BR-55',
    ({ root, settlement }) =>
      onlyIf(text(root, 'ExchangedDocument/TypeCode') === '381', text(settlement, 'InvoiceReferencedDocument/IssuerAssignedID') !== ''),
  ],
  ['BR-29, BR-CO-19', ({ settlement }) => all(settlement, 'BillingSpecifiedPeriod').every(hasPeriod)],
  // Of no rule of the standard, which leaves it to the law of the country: see `findSupply`.
  ['BT-72 or BG-14', (read) => isDated(read)],
  ['BR-57', ({ delivery }) => all(delivery, 'ShipToTradeParty/PostalTradeAddress').every((address) => text(address, 'CountryID') !== '')],
  ['BR-62', (read) => every(all(seller(read), 'URIUniversalCommunication/URIID'), (id) => `${id['@schemeID']}` === 'EM')],
  ['BR-CO-04', ({ rows }) => every(rows, ({ code }) => code !== '')],
  ['BR-CO-10', ({ rows, amount }) => amount('LineTotalAmount') === sum(rows.map(({ net }) => net))],
  ['BR-CO-13', ({ amount }) => amount('TaxBasisTotalAmount') === amount('LineTotalAmount')],
  ['BR-CO-14', ({ rates, amount }) => amount('TaxTotalAmount') === sum(rates.map(({ tax }) => tax))],
  ['BR-CO-15', ({ amount }) => amount('GrandTotalAmount') === amount('TaxBasisTotalAmount') + amount('TaxTotalAmount')],
  ['BR-CO-16', ({ amount }) => amount('DuePayableAmount') === amount('GrandTotalAmount') - amount('TotalPrepaidAmount')],
  // The standard's own check allows one unit of the currency; prices with tax, and shares of a tax, are a cent away.
  ['BR-CO-17', ({ rates }) => every(rates, ({ taxable, tax, rate }) => Math.abs(tax - (taxable * Number(rate)) / 100) <= 2)],
  ['BR-CO-18', ({ rates }) => rates.length > 0],
  [
    'BR-CO-25',
    ({ amount, settlement }) =>
      amount('DuePayableAmount') === 0 ||
      text(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString') !== '' ||
      text(settlement, 'SpecifiedTradePaymentTerms/Description') !== '',
  ],
  ['BR-50', ({ settlement }) => onlyIf(isCreditTransfer(settlement), transferAccount(settlement) !== '')],
  ['BR-61', ({ settlement }) => onlyIf(isCreditTransfer(settlement), transferAccount(settlement) !== '')],
  [
    'BR-CO-26',
    (read) => text(seller(read), 'ID') !== '' || hasVatId(seller(read)) || text(seller(read), 'SpecifiedLegalOrganization/ID') !== '',
  ],
  ['BR-DEC-09 to 24', ({ root }) => !/>\d+\.\d{3,}</.test(JSON.stringify(root))],
  ['BR-S-01, S-08', (read) => breakdownFits(read, 'S')],
  ['BR-S-02', (read) => onlyIf(has(read, 'S'), registrations(seller(read)).length > 0)],
  ['BR-S-05', ({ rows }) => rows.filter(({ code }) => code === 'S').every(({ rate }) => Number(rate) > 0)],
  ['BR-S-10', ({ rates }) => rates.filter(({ code }) => code === 'S').every(({ reason }) => reason === '')],
  ['BR-Z-01, Z-08', (read) => breakdownFits(read, 'Z')],
  ['BR-Z-02', (read) => onlyIf(has(read, 'Z'), registrations(seller(read)).length > 0)],
  ['BR-Z-05, Z-09', (read) => untaxed(read, 'Z') && read.rows.filter(({ code }) => code === 'Z').every(({ rate }) => Number(rate) === 0)],
  ['BR-IC-01, IC-08', (read) => breakdownFits(read, 'K')],
  ['BR-IC-02', (read) => onlyIf(has(read, 'K'), hasVatId(seller(read)) && hasVatId(buyer(read)))],
  ['BR-IC-09', (read) => untaxed(read, 'K')],
  ['BR-IC-10', (read) => isExplained(read, 'K', 'VATEX-EU-IC')],
  ['BR-IC-11', (read) => onlyIf(has(read, 'K'), isDated(read))],
  ['BR-IC-12', (read) => onlyIf(has(read, 'K'), text(read.delivery, 'ShipToTradeParty/PostalTradeAddress/CountryID') !== '')],
  ['BR-G-01, G-08', (read) => breakdownFits(read, 'G')],
  ['BR-G-02', (read) => onlyIf(has(read, 'G'), hasVatId(seller(read)))],
  ['BR-G-09', (read) => untaxed(read, 'G')],
  ['BR-G-10', (read) => isExplained(read, 'G', 'VATEX-EU-G')],
  ['BR-O-01, O-08', (read) => breakdownFits(read, 'O')],
  ['BR-O-02', (read) => onlyIf(has(read, 'O'), !hasVatId(seller(read)) && !hasVatId(buyer(read)))],
  ['BR-O-05', ({ rows }) => rows.filter(({ code }) => code === 'O').every(({ rate }) => rate === '')],
  ['BR-O-09', (read) => untaxed(read, 'O')],
  ['BR-O-10', (read) => isExplained(read, 'O', 'VATEX-EU-O')],
  ['BR-O-11', (read) => onlyIf(has(read, 'O'), read.rates.length === 1 && read.rows.every(({ code }) => code === 'O'))],
]
/** Whether the document says when the goods are supplied: on a day (BT-72), or in a period (BT-73 and BT-74). */
const isDated = ({ delivery, settlement }: Read) =>
  all(delivery, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime').length + all(settlement, 'BillingSpecifiedPeriod').length === 1
const hasPeriod = (period: XmlElement) => {
  const [start, end] = ['Start', 'End'].map((which) => text(period, `${which}DateTime/DateTimeString`))
  return /^\d{8}$/.test(start ?? '') && (end ?? '') >= (start ?? '')
}
const price = 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice'

/** The rules that a document breaks, by their numbers. */
export function brokenRules(document: XmlElement): string[] {
  const said = read(document)
  return rules.filter(([, holds]) => !holds(said)).map(([rule]) => rule)
}

/** The numbers of the invoices that a document is for, or replaces (BT-25). */
export const precedingNumbers = (document: XmlElement): string[] =>
  all(read(document).settlement, 'InvoiceReferencedDocument/IssuerAssignedID').map((id) => id['#text'] ?? '')

/** The total of a document with tax, in cents. */
export const totalOf = (document: XmlElement): number => read(document).amount('GrandTotalAmount')
