import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { requiredTextSchema } from '#shared/required-text.ts'
import { IdParams, percentOff, Removed, tags } from './contract.ts'

/** The most groups of a store. */
export const maxGroups = 100
/** The most members of a group on a page of a list. */
export const maxListedMembers = 100

export const CustomerGroup = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    percentOff: z.int().meta({ description: 'off the list price of every product that has no price for this group' }),
    memberCount: z.int(),
    members: z.array(z.string()).meta({ description: `their e-mails, the first ${maxListedMembers} by the alphabet` }),
  })
  .meta({ id: 'CustomerGroup' })
export type CustomerGroup = z.infer<typeof CustomerGroup>

export const NewCustomerGroup = z.object({ name: requiredTextSchema('A group has a name', 80), percentOff: percentOff(0) })

export const listCustomerGroups = {
  method: 'GET',
  url: '/customer-groups',
  schema: {
    tags,
    summary: 'Groups of customers with the same prices, by name (admins)',
    security: bearerAuth,
    response: { 200: z.array(CustomerGroup), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listGroupMembers = {
  method: 'GET',
  url: '/customer-groups/:id/members',
  schema: {
    tags,
    summary: `Members of a group by the alphabet, ${maxListedMembers} at a time (admins)`,
    description: 'A group that does not exist has none.',
    security: bearerAuth,
    params: IdParams,
    querystring: z.object({
      after: z.string().trim().toLowerCase().max(320).optional().meta({ description: 'an e-mail: answers the members that come after it' }),
    }),
    response: {
      200: z.object({
        members: z.array(z.string()).meta({ description: 'their e-mails' }),
        hasMore: z.boolean().meta({ description: 'whether others come after the last of them' }),
      }),
      default: ErrorResponse,
    },
  },
} as const satisfies Endpoint

export const addCustomerGroup = {
  method: 'POST',
  url: '/customer-groups',
  schema: {
    tags,
    summary: 'Add a group of customers (admins)',
    description: `A store has at most ${maxGroups} groups, each of another name: otherwise 409 "conflict".`,
    security: bearerAuth,
    body: NewCustomerGroup,
    response: { 201: CustomerGroup, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const updateCustomerGroup = {
  method: 'PUT',
  url: '/customer-groups/:id',
  schema: {
    tags,
    summary: 'Change name and percentage of a group (admins)',
    security: bearerAuth,
    params: IdParams,
    body: NewCustomerGroup,
    response: { 200: CustomerGroup, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeCustomerGroup = {
  method: 'DELETE',
  url: '/customer-groups/:id',
  schema: {
    tags,
    summary: 'Remove a group with its prices; its members pay the list prices again (admins)',
    security: bearerAuth,
    params: IdParams,
    response: { 200: Removed, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const setCustomerGroup = {
  method: 'PUT',
  url: '/users/:email/customer-group',
  schema: {
    tags,
    summary: 'Put a customer into a group, out of the one before, or into none (admins)',
    security: bearerAuth,
    params: z.object({ email: z.string().trim().toLowerCase() }),
    body: z.object({ groupId: z.uuid('There is no such group').nullable() }),
    response: { 200: z.object({ email: z.string(), groupId: z.uuid().nullable() }), default: ErrorResponse },
  },
} as const satisfies Endpoint
