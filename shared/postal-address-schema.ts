import * as z from 'zod'
import { findAddressErrors, type PostalAddress } from './postal-address.ts'

const text = (max: number) => z.string().trim().max(max, `At most ${max} characters`)

export const postalAddressFields = {
  country: z
    .string('Choose a country')
    .trim()
    .toUpperCase()
    .regex(/^([A-Z]{2})?$/, 'A country is two letters, such as DE'), // none is refused below, in words for those who choose from a list
  line1: text(200),
  line2: text(200).optional(),
  city: text(100).default(''),
  postalCode: text(20).optional(),
  state: text(50).optional(),
}

/** Refuses what `findAddressErrors` finds, each at its field. */
export function refuseWrongAddress(address: PostalAddress, context: z.RefinementCtx): void {
  for (const [field, message] of Object.entries(findAddressErrors(address))) context.addIssue({ code: 'custom', message, path: [field] })
}

/** An address with the fields of its country: see `addressFieldRules`. */
export const postalAddressSchema = z.object(postalAddressFields).superRefine(refuseWrongAddress)
