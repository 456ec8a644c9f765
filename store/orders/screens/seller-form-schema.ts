import * as z from 'zod'
import { type Seller, SellerFields } from '#store/orders/documents/contract.ts'
import { withIssuesOf } from '#store/tax/screens/tax-forms.ts'

/* The form of the page Seller: what is typed is text, and an empty field says nothing. */

export const sellerFieldNames = [
  ...(['name', 'country', 'line1', 'line2', 'city', 'postalCode', 'state'] as const),
  ...(['vatId', 'taxNumber', 'registration', 'email', 'phone', 'footer'] as const),
] as const
type SellerFieldName = (typeof sellerFieldNames)[number]
export type SellerFormInput = Record<SellerFieldName, string>

const text = z.string()
const fields = Object.fromEntries(sellerFieldNames.map((name) => [name, text])) as Record<SellerFieldName, typeof text>

export const sellerFormSchema = z.object(fields).superRefine(withIssuesOf(SellerFields))

/** @param country of the shop as its taxes have it, for the first time */
export const toSellerForm = (seller: Seller | null, country: string | null): SellerFormInput =>
  Object.fromEntries(
    sellerFieldNames.map((name) => [name, seller?.[name] ?? (name === 'country' ? (country ?? '') : '')]),
  ) as SellerFormInput
