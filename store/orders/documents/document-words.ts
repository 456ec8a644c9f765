import { type DocumentBuyer, type DocumentData, type DocumentLine, isOfLine } from './document-data.ts'

/** What a correction can change of a document: to whom it is, under which numbers, and what its rows are called. */
export type DocumentWords = {
  buyer: DocumentBuyer
  poNumber: string | null
  buyerReference: string | null
  lines: Pick<DocumentLine, 'orderLineId' | 'name' | 'partNumber'>[]
}

export const wordsOf = ({ buyer, poNumber, buyerReference, lines }: DocumentData): DocumentWords => ({
  buyer,
  poNumber,
  buyerReference,
  lines: lines
    .filter(({ kind, orderLineId }) => kind === 'goods' && orderLineId !== null)
    .map(({ orderLineId, name, partNumber }) => ({ orderLineId, name, partNumber })),
})

/** The words of the invoices of an order that hold together. @param invoices at least one, the newest last: it says to whom they are */
export function wordsOfAll(invoices: DocumentData[]): DocumentWords {
  const all = invoices.map(wordsOf)
  const newest = all.at(-1)
  if (!newest) throw new TypeError('Words of no invoice')
  const lines = new Map(all.flatMap((words) => words.lines.map((line) => [line.orderLineId, line])))
  return { ...newest, lines: [...lines.values()] }
}

/** The same document, said in these words; its amounts stay. */
export function withWords<Content extends Pick<DocumentData, 'lines'>>(content: Content, words: DocumentWords): Content {
  const { buyer, poNumber, buyerReference } = words
  const lines = content.lines.map((line) => {
    const said = words.lines.find(({ orderLineId }) => isOfLine(orderLineId)(line))
    if (!said) return line
    return { ...line, partNumber: said.partNumber, ...(line.kind === 'goods' && { name: said.name }) }
  })
  return { ...content, buyer, poNumber, buyerReference, lines }
}
