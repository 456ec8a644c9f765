import { isUtf8 } from 'node:buffer'
import { type ColumnNames, statementLimits } from './contract.ts'
import { readCamt, tooManyEntriesMessage } from './read-camt.ts'
import { readCsv } from './read-csv.ts'
import { type Statement, StatementError } from './statement.ts'

/**
 * Reads a file of a bank, CAMT.053 or CSV, whatever its name is.
 * @throws {StatementError} it is neither
 */
export function readStatement(bytes: Uint8Array, columns: ColumnNames): Statement {
  const text = decode(bytes)
  const statement = /^\s*</.test(text) ? readCamt(text) : readCsv(text, columns)
  if (statement.entries.length > statementLimits.entries) throw new StatementError(tooManyEntriesMessage)
  const tooLarge = statement.entries.find(({ amountCents }) => Math.abs(amountCents) > statementLimits.amountCents)
  if (tooLarge)
    throw new StatementError(`The entry of ${tooLarge.bookedOn} is larger than an amount can be: load the statement from the bank again`)
  return statement
}

/** German banks write CSV in ISO 8859-1. */
function decode(bytes: Uint8Array): string {
  if (bytes.includes(0) || Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-')
    throw new StatementError('This is not a text file: load CAMT.053 (XML) or CSV from the bank')
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const text = bytes.subarray(start)
  return new TextDecoder(isUtf8(text) ? 'utf-8' : 'iso-8859-1').decode(text)
}
