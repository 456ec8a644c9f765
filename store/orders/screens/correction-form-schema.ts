import * as z from 'zod'
import { type CorrectableInvoice, CorrectionBody } from '#store/orders/documents/corrections/contract.ts'

/* The form that corrects an invoice: what is typed is text, and an empty field says nothing. */

export const correctionFieldNames = [
  ...(['name', 'company', 'vatId', 'country', 'line1', 'line2', 'city', 'postalCode', 'state'] as const),
  ...(['poNumber', 'buyerReference', 'reason'] as const),
] as const
type CorrectionFieldName = (typeof correctionFieldNames)[number]
type TypedLine = { _id: string; name: string; partNumber: string }
export type CorrectionFormInput = Record<CorrectionFieldName, string> & { invoice: string; lines: TypedLine[] }

const text = z.string()
const fields = Object.fromEntries(correctionFieldNames.map((name) => [name, text])) as Record<CorrectionFieldName, typeof text>

export const correctionFormSchema = z
  .object({ invoice: text, lines: z.array(z.object({ _id: text, name: text, partNumber: text })), ...fields })
  .superRefine((value, { addIssue }) => {
    for (const { path, message } of CorrectionBody.safeParse(value).error?.issues ?? []) addIssue({ code: 'custom', path, message })
  })

/** How the form begins: with what the invoice says. */
export const toCorrectionForm = ({ _id, address, lines, ...said }: CorrectableInvoice): CorrectionFormInput => ({
  ...{ invoice: _id, name: said.name, company: said.company ?? '', vatId: said.vatId ?? '', reason: '' },
  ...{ country: address?.country ?? '', line1: address?.line1 ?? '', line2: address?.line2 ?? '', city: address?.city ?? '' },
  ...{ postalCode: address?.postalCode ?? '', state: address?.state ?? '' },
  ...{ poNumber: said.poNumber ?? '', buyerReference: said.buyerReference ?? '' },
  lines: lines.map(({ partNumber, ...line }) => ({ ...line, partNumber: partNumber ?? '' })),
})
