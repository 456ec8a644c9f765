import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { postalAddressFields, refuseWrongAddress } from '#shared/postal-address-schema.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { Deleted, IdParams, noCompany, tags } from './contract.ts'

const { country, line1, line2, city, postalCode, state } = postalAddressFields
export const CompanyAddressFields = z
  .object({
    label: requiredTextSchema('Give the address a name, such as Warehouse', 60),
    forDelivery: z.boolean('Say whether goods are delivered there'),
    forInvoice: z.boolean('Say whether invoices are sent there'),
    ...{ country, line1, line2, city, postalCode, state },
  })
  .superRefine((address, context) => {
    if (!address.forDelivery && !address.forInvoice)
      context.addIssue({ code: 'custom', message: 'Choose deliveries, invoices or both', path: ['forDelivery'] })
    refuseWrongAddress(address, context)
  })
export type CompanyAddressFields = z.output<typeof CompanyAddressFields>

/** An address that members choose from at the checkout. */
export const CompanyAddress = z
  .object({
    _id: z.uuid(),
    label: z.string(),
    forDelivery: z.boolean(),
    forInvoice: z.boolean(),
    country: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    postalCode: z.string().nullable(),
    state: z.string().nullable(),
  })
  .meta({ id: 'CompanyAddress' })
export type CompanyAddress = z.infer<typeof CompanyAddress>

export const listCompanyAddresses = {
  method: 'GET',
  url: '/company/addresses',
  schema: {
    tags,
    summary: 'The addresses of the company by name, for all members',
    description: noCompany,
    security: bearerAuth,
    response: { 200: z.object({ addresses: z.array(CompanyAddress) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const addCompanyAddress = {
  method: 'POST',
  url: '/company/addresses',
  schema: {
    tags,
    summary: 'Add an address, for all members: by a manager',
    description: `${noCompany} With 409 "company_full", and "conflict" where another address has this name.`,
    security: bearerAuth,
    body: CompanyAddressFields,
    response: { 201: CompanyAddress, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeCompanyAddress = {
  method: 'PUT',
  url: '/company/addresses/:id',
  schema: {
    tags,
    summary: 'Change an address of the company: by a manager. Orders keep the address that they were placed with',
    description: noCompany,
    security: bearerAuth,
    params: IdParams,
    body: CompanyAddressFields,
    response: { 200: CompanyAddress, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeCompanyAddress = {
  method: 'DELETE',
  url: '/company/addresses/:id',
  schema: {
    tags,
    summary: 'Remove an address of the company: by a manager',
    description: noCompany,
    security: bearerAuth,
    params: IdParams,
    response: { 200: Deleted, default: ErrorResponse },
  },
} as const satisfies Endpoint
