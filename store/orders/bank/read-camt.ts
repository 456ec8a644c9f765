import { XMLParser } from 'fast-xml-parser'
import * as z from 'zod'
import { normalizeIban } from '#store/orders/payment-methods/iban.ts'
import { statementLimits } from './contract.ts'
import { bankReferenceOf, parseBankDay, type Statement, type StatementEntry, StatementError } from './statement.ts'

/* A statement as CAMT.053 (ISO 20022, BankToCustomerStatement), versions 02 to 13, of which the same elements are read. */

/** Text, or an element of which only the text is read. */
const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((element) => element['#text'])])
const many = <Item extends z.ZodType>(item: Item) =>
  z
    .union([z.array(item), item.transform((one) => [one])])
    .optional()
    .transform((items) => (items ?? []) as z.output<Item>[])
const money = z.object({ '#text': z.string(), '@Ccy': z.string() })
const party = z.object({ Nm: text.optional(), Pty: z.object({ Nm: text.optional() }).optional() }).catch({})
const account = z.object({ Id: z.object({ IBAN: text.optional() }).catch({}) }).catch({ Id: {} })

const Details = z.object({
  Refs: z.object({ AcctSvcrRef: text.optional(), EndToEndId: text.optional(), TxId: text.optional() }).catch({}).default({}),
  Amt: money.optional(),
  AmtDtls: z
    .object({ TxAmt: z.object({ Amt: money }).optional() })
    .catch({})
    .optional(),
  CdtDbtInd: text.optional(),
  RltdPties: z
    .object({ Dbtr: party.optional(), Cdtr: party.optional(), DbtrAcct: account.optional(), CdtrAcct: account.optional() })
    .catch({})
    .default({}),
  RmtInf: z
    .object({ Ustrd: many(text), Strd: many(z.object({ CdtrRefInf: z.object({ Ref: text.optional() }).catch({}).optional() }).catch({})) })
    .catch({ Ustrd: [], Strd: [] })
    .default({ Ustrd: [], Strd: [] }),
})
type Details = z.output<typeof Details>

const Entry = z.object({
  Amt: money,
  CdtDbtInd: text,
  Sts: z.union([text, z.object({ Cd: text }).transform(({ Cd }) => Cd)]).optional(),
  BookgDt: z.object({ Dt: text.optional(), DtTm: text.optional() }).optional(),
  ValDt: z.object({ Dt: text.optional(), DtTm: text.optional() }).optional(),
  AcctSvcrRef: text.optional(),
  AddtlNtryInf: text.optional(),
  NtryDtls: many(z.object({ TxDtls: many(Details) }).catch({ TxDtls: [] })),
})
type Entry = z.output<typeof Entry>

const Balance = z.object({
  Tp: z.object({ CdOrPrtry: z.object({ Cd: text.optional() }).catch({}) }),
  Amt: money,
  CdtDbtInd: text,
})

const Document = z.object({
  Document: z.object({
    BkToCstmrStmt: z.object({
      Stmt: many(z.object({ Acct: account, Bal: many(Balance), Ntry: many(Entry) })),
    }),
  }),
})

const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false, trimValues: true },
})

/**
 * The statements of a file, of which all have to be of one account.
 * @throws {StatementError} it is no such file
 */
export function readCamt(xml: string): Statement {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new StatementError('The file has definitions of its own (DOCTYPE), which no statement of a bank has')
  const found = Document.safeParse(parse(xml))
  const statements = found.data?.Document.BkToCstmrStmt.Stmt ?? []
  if (statements.length === 0)
    throw new StatementError('This XML file is no statement of an account (CAMT.053). Choose that format when you load it from the bank')
  const ibans = new Set(statements.map(({ Acct }) => normalizeIban(Acct.Id.IBAN ?? '')))
  if (ibans.size > 1) throw new StatementError('The file has statements of several accounts: load that of the shop alone', 'other_account')
  const [iban = ''] = ibans
  const balances = statements.flatMap(({ Bal }) => Bal)
  const entries = statements.flatMap(({ Ntry }) => Ntry)
  const currencies = new Set(
    [...entries.map(({ Amt }) => Amt['@Ccy']), ...balances.map(({ Amt }) => Amt['@Ccy'])].map((code) => code.toLowerCase()),
  )
  const first = statements[0]?.Bal.find(isOf('OPBD', 'PRCD'))
  const last = statements.at(-1)?.Bal.findLast(isOf('CLBD'))
  return {
    iban: iban === '' ? null : iban,
    currencies: [...currencies],
    openingCents: first ? signedCents(first.Amt['#text'], first.CdtDbtInd) : null,
    closingCents: last ? signedCents(last.Amt['#text'], last.CdtDbtInd) : null,
    entries: entries.filter(({ Sts = 'BOOK' }) => Sts === 'BOOK').flatMap(readEntry),
  }
}

function parse(xml: string): unknown {
  try {
    return parser.parse(xml, true)
  } catch {
    throw new StatementError('The file is no well-formed XML: it may have been cut off. Load it from the bank again')
  }
}

const isOf =
  (...codes: string[]) =>
  ({ Tp }: z.output<typeof Balance>) =>
    codes.includes(Tp.CdOrPrtry.Cd ?? '')

function signedCents(written: string, direction: string): number {
  const [, whole, decimals = ''] = /^(\d{1,13})(?:\.(\d{1,5}))?$/.exec(written.trim()) ?? []
  if (whole === undefined || /[1-9]/.test(decimals.slice(2))) throw new StatementError(`"${written.slice(0, 40)}" is no amount`)
  const cents = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  return direction === 'DBIT' ? -cents : cents
}

/** An entry or, where a bank has booked several payments as one and says how much each is, an entry for each. */
function readEntry(entry: Entry): StatementEntry[] {
  const { Dt, DtTm } = entry.BookgDt ?? entry.ValDt ?? {}
  const bookedOn = parseBankDay(Dt ?? DtTm ?? '')
  if (bookedOn === undefined) throw new StatementError('An entry of the file has no day')
  const amountCents = signedCents(entry.Amt['#text'], entry.CdtDbtInd)
  const reference = bankReferenceOf(entry.AcctSvcrRef) // not NtryRef, which counts the entries of a statement
  const all = entry.NtryDtls.flatMap(({ TxDtls }) => TxDtls)
  const parts = all.map((details) => ({ details, cents: amountOfPart(details, entry) }))
  const isWhole = parts.length > 1 && parts.reduce((sum, { cents }) => sum + (cents ?? 0), 0) === amountCents
  const what = isWhole ? parts : [{ details: all[0], cents: amountCents }]
  return what.flatMap(({ details, cents }, nth) => {
    if (!cents) return []
    const ofBank = bankReferenceOf(details?.Refs.AcctSvcrRef) ?? (reference === null || !isWhole ? reference : `${reference} ${nth + 1}`)
    return [{ bankReference: ofBank, bookedOn, amountCents: cents, ...describe(details, entry, cents < 0) }]
  })
}

/** In the currency of the account: a part may also say what it was in another. */
const amountOfPart = ({ Amt, AmtDtls, CdtDbtInd }: Details, entry: Entry): number | undefined => {
  const amount = [Amt, AmtDtls?.TxAmt?.Amt].find((each) => each?.['@Ccy'] === entry.Amt['@Ccy'])
  return amount && signedCents(amount['#text'], CdtDbtInd ?? entry.CdtDbtInd)
}

function describe(details: Details | undefined, entry: Entry, isDebit: boolean) {
  const { Dbtr, Cdtr, DbtrAcct, CdtrAcct } = details?.RltdPties ?? {}
  const [other, itsAccount] = isDebit ? [Cdtr, CdtrAcct] : [Dbtr, DbtrAcct]
  const { Ustrd = [], Strd = [] } = details?.RmtInf ?? {}
  const endToEnd = details?.Refs.EndToEndId
  const said = [
    ...Strd.flatMap(({ CdtrRefInf }) => CdtrRefInf?.Ref ?? []),
    ...Ustrd,
    ...(endToEnd && endToEnd !== 'NOTPROVIDED' ? [endToEnd] : []),
  ]
  return {
    payerName: decodeEntities(other?.Nm ?? other?.Pty?.Nm ?? '').slice(0, 140),
    payerIban: normalizeIban(itsAccount?.Id.IBAN ?? '').slice(0, 40),
    text: decodeEntities((said.length > 0 ? said : [entry.AddtlNtryInf ?? '']).join(' ')).slice(0, 500),
  }
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The five entities of XML and characters by their number. Others are definitions of a file's own, which are refused. */
const decodeEntities = (escaped: string): string =>
  escaped.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return characters[`${name}`.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' '
  })

export const tooManyEntriesMessage = `The file has more than ${statementLimits.entries} entries: load it from the bank in parts`
