import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { Email, nameInEmails } from '#store/identity/account-fields.ts'

/** The most of each that a company can have; of invitations those that are open. */
export const companyLimits = { members: 50, addresses: 50, invitations: 20 } as const
/** How long an invitation can be accepted. */
export const invitationDays = 7

/** What members may do differently: managers invite, remove members and make others managers. */
export const companyRoles = ['manager', 'member'] as const
export type CompanyRole = (typeof companyRoles)[number]

export const companyEvents = [
  'founded',
  'renamed',
  'invited',
  'invitation taken back',
  'joined',
  'left',
  'removed',
  'made manager',
  'made member',
  'address added',
  'address changed',
  'address removed',
] as const
export type CompanyEvent = (typeof companyEvents)[number]

export const Company = z
  .object({
    _id: z.uuid(),
    name: z.string(),
    vatId: z.string().nullable(),
    foundedAt: z.iso.datetime(),
    role: z.enum(companyRoles).meta({ description: 'of the account that asks' }),
    memberCount: z.int(),
  })
  .meta({ id: 'Company' })
export type Company = z.infer<typeof Company>

/** The name stands in mails to whatever address a manager invites. */
export const CompanyFields = z.object({
  name: nameInEmails('Enter the name of the company', 80),
  vatId: z
    .string()
    .trim()
    .max(20, 'At most 20 characters')
    .optional()
    .meta({ description: 'of a business in the EU, such as DE136695976; empty: none' }),
})

export const CompanyMember = z
  .object({
    _id: z.string().meta({ description: 'of the account' }),
    name: z.string(),
    email: z.string(),
    role: z.enum(companyRoles),
    joinedAt: z.iso.datetime(),
    invitedBy: z.string().nullable().meta({ description: 'the name of who has invited them; null: they have founded the company' }),
    isSelf: z.boolean().meta({ description: 'whether it is the account that asks' }),
  })
  .meta({ id: 'CompanyMember' })
export type CompanyMember = z.infer<typeof CompanyMember>

const CompanyMembers = z.object({ members: z.array(CompanyMember).meta({ description: 'in the order in which they have joined' }) })

export const CompanyInvitation = z
  .object({
    _id: z.uuid(),
    email: z.string(),
    invitedBy: z.string().meta({ description: 'the name of the manager' }),
    invitedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CompanyInvitation' })
export type CompanyInvitation = z.infer<typeof CompanyInvitation>

/** The body of `inviteToCompany`, and its form. */
export const InvitationBody = z.object({ email: Email })

export const tags = ['Companies']
export const IdParams = z.object({ id: z.uuid('There is no such entry in your company') })
/** The ids of accounts are texts of the sign-in provider. */
const MemberParams = z.object({ id: z.string().min(1).max(100, 'Your company has no such member') })
export const Deleted = z.object({ deletedCount: z.literal(1) })
export const noCompany = 'Without a company 404 "no_company".'

export const showCompany = {
  method: 'GET',
  url: '/company',
  schema: {
    tags,
    summary: 'The company that the account belongs to',
    security: bearerAuth,
    response: { 200: z.object({ company: Company.nullable() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const foundCompany = {
  method: 'POST',
  url: '/company',
  schema: {
    tags,
    summary: 'Found a company: the account is its manager',
    description:
      'An account belongs to one company at most: otherwise 409 "already_in_company". What it orders from then on is the order of the company.',
    security: bearerAuth,
    body: CompanyFields,
    response: { 201: Company, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeCompany = {
  method: 'PUT',
  url: '/company',
  schema: {
    tags,
    summary: 'Change name and VAT id of the company (its managers)',
    description: noCompany,
    security: bearerAuth,
    body: CompanyFields,
    response: { 200: Company, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listCompanyMembers = {
  method: 'GET',
  url: '/company/members',
  schema: {
    tags,
    summary: 'The members of the company, for all of them',
    description: noCompany,
    security: bearerAuth,
    response: { 200: CompanyMembers, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const changeCompanyRole = {
  method: 'PUT',
  url: '/company/members/:id',
  schema: {
    tags,
    summary: 'Make a member a manager, or a manager a member (managers)',
    description: `${noCompany} The last manager stays one: 409 "last_manager".`,
    security: bearerAuth,
    params: MemberParams,
    body: z.object({ role: z.enum(companyRoles, 'Choose manager or member') }),
    response: { 200: CompanyMembers, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeCompanyMember = {
  method: 'DELETE',
  url: '/company/members/:id',
  schema: {
    tags,
    summary: 'Remove a member (managers), or leave the company (everybody)',
    description: `${noCompany} The last manager cannot leave while there are other members: 409 "last_manager". Whoever is out sees only the orders that they have placed themselves; the company keeps all of them.`,
    security: bearerAuth,
    params: MemberParams,
    response: { 200: Deleted, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listCompanyInvitations = {
  method: 'GET',
  url: '/company/invitations',
  schema: {
    tags,
    summary: 'The open invitations of the company (managers)',
    description: noCompany,
    security: bearerAuth,
    response: { 200: z.object({ invitations: z.array(CompanyInvitation) }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const inviteToCompany = {
  method: 'POST',
  url: '/company/invitations',
  schema: {
    tags,
    summary: 'Invite somebody by e-mail (managers with a verified e-mail)',
    description: `A mail with a link goes there, which works for ${invitationDays} days and once. The answer is the same whether the e-mail has an account. Inviting an e-mail again replaces its invitation. ${noCompany} With 409 "email_not_verified", "already_member" and "company_full", and 429 for too many invitations of a day.`,
    security: bearerAuth,
    body: InvitationBody,
    response: { 201: CompanyInvitation, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const takeBackInvitation = {
  method: 'DELETE',
  url: '/company/invitations/:id',
  schema: {
    tags,
    summary: 'Take an open invitation back (managers)',
    description: noCompany,
    security: bearerAuth,
    params: IdParams,
    response: { 200: Deleted, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const invalidInvitationMessage = 'This invitation was used, has ended or was taken back'
const TokenParams = z.object({ token: z.string().regex(/^[0-9a-f]{64}$/, invalidInvitationMessage) })

/** What somebody is invited to, as they see it who have the link. */
export const InvitationPreview = z.object({ company: z.string(), invitedBy: z.string(), expiresAt: z.iso.datetime() })
export type InvitationPreview = z.infer<typeof InvitationPreview>

const invitationRefusals =
  'Refused with 404 "invalid_link", 403 "other_email" where another e-mail is invited, and 409 "email_not_verified" where the account has not verified its own.'

export const showCompanyInvitation = {
  method: 'GET',
  url: '/company-invitations/:token',
  schema: {
    tags,
    summary: 'What the link of an invitation invites to, for the account with the invited e-mail',
    description: invitationRefusals,
    security: bearerAuth,
    params: TokenParams,
    response: { 200: InvitationPreview, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const acceptCompanyInvitation = {
  method: 'POST',
  url: '/company-invitations/:token',
  schema: {
    tags,
    summary: 'Accept an invitation: the account is a member from then on',
    description: `${invitationRefusals} With 409 "already_in_company" and "company_full".`,
    security: bearerAuth,
    params: TokenParams,
    response: { 200: Company, default: ErrorResponse },
  },
} as const satisfies Endpoint
