import * as z from 'zod'
import { bearerAuth, type Endpoint, ErrorResponse } from '#shared/endpoint.ts'
import { Email, fullName, newPassword, password } from './account-fields.ts'

/*
 * Accounts and the sign-in. The fields of the forms are in account-fields.ts. Long because of the number of its calls: each is short, most have
 * no schema of their own, and the names of a further chunk would weigh on every page.
 */

/** The signed-in user of a request, as the guards read it from the access token. */
export type User = { id: string; name: string; email: string; role: 'customer' | 'admin' }

export const EmailParams = z.object({ email: Email })

/** An account as admins see it. `owner` is present only on owners, whose role is admin, and `verified` only where it is false. */
export const Account = z
  .object({
    _id: z.string(),
    email: z.string(),
    role: z.enum(['customer', 'admin']),
    owner: z.boolean().optional(),
    verified: z.literal(false).optional().meta({ description: 'false: nobody has shown that the e-mail address is theirs' }),
    limitsLifted: z.boolean().meta({ description: 'an admin lets this account order without the limits of buyers' }),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/** An account that can no longer sign in; `removedAt` is an ISO 8601 timestamp. */
export const RemovedAccount = z.object({ _id: z.string(), email: z.string(), removedAt: z.string() }).meta({ id: 'RemovedAccount' })
export type RemovedAccount = z.infer<typeof RemovedAccount>
/** How many removed accounts are listed. An older one can still be restored by its e-mail. */
export const maxRemovedUsersListed = 100

/** Shown in the confirmation before an account is made an admin, and in the email to owners afterwards. */
export const adminPermissionsText =
  'change products, prices and stock, see all orders and customers, refund payments, make others admins, and remove admins who are no owners'

const tags = ['Identity']
/** For an emailed link that was used, has expired or is invalid. */
export const invalidLinkMessage = 'This link does not work any more: ask for a new one'

export const issueAccessToken = {
  method: 'PUT',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'The access token, for whoever just signed in as this e-mail with the sign-in provider',
    description:
      'The proof is the sign-in: its session token as a bearer, or its cookie. The body may repeat the e-mail; the address decides.',
    params: EmailParams,
    body: z.object({ email: Email.optional() }).optional(),
    response: { 200: z.object({ token: z.string() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showSession = {
  method: 'GET',
  url: '/auth/session',
  schema: {
    tags,
    summary: 'Who has just signed in with the sign-in provider, by its cookie or its session token as a bearer',
    response: { 200: z.object({ name: z.string(), email: z.string() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const checkAdmin = {
  method: 'GET',
  url: '/admin/:email',
  schema: {
    tags,
    summary: 'Is this account an admin?',
    security: bearerAuth,
    params: EmailParams,
    response: { 200: z.object({ admin: z.boolean() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listUsers = {
  method: 'GET',
  url: '/user',
  schema: {
    tags,
    summary: 'All accounts, oldest first',
    security: bearerAuth,
    response: { 200: z.array(Account), default: ErrorResponse },
  },
} as const satisfies Endpoint

/** The query of `listUserPage`. */
export const UserPageQuery = z.object({
  q: z.string().trim().max(100, 'At most 100 characters').default('').meta({ description: 'words that are all in the e-mail' }),
  sort: z.enum(['email', '-email']).optional().meta({ description: 'without it the oldest account comes first' }),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
})
export type UserPageQuery = z.output<typeof UserPageQuery>

/** `total`: how many accounts were found on all pages. */
export const UserPage = z.object({
  accounts: z.array(Account),
  total: z.int(),
  askedByOwner: z.boolean().meta({ description: 'whether who asks is an owner' }),
})
export type UserPage = z.infer<typeof UserPage>

export const listUserPage = {
  method: 'GET',
  url: '/user/page',
  schema: {
    tags,
    summary: 'A page of the accounts, searched and sorted',
    security: bearerAuth,
    querystring: UserPageQuery,
    response: { 200: UserPage, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const makeAdmin = {
  method: 'PUT',
  url: '/user/admin/:email',
  schema: {
    tags,
    summary: 'Make an account an admin',
    description: 'modifiedCount is 0 where it was one already.',
    security: bearerAuth,
    params: EmailParams,
    response: { 200: z.object({ modifiedCount: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

/**
 * Factors on the usual limits of buyers (`BuyerLimits` of orders). `verified` applies to a buyer with a verified e-mail. A buyer with at
 * least one order that is paid and not fully refunded has at least that factor: they may have `perPaidAmount` times the amount they have
 * paid unpaid at a time, up to the factor `returning`. So paying one small order does not let a buyer hold a large part of the stock.
 */
export const buyerLimitFactors = { verified: 4, perPaidAmount: 10, returning: 20 } as const

export const liftBuyerLimits = {
  method: 'PUT',
  url: '/user/limits/:email',
  schema: {
    tags,
    summary: 'Let an account order without the limits of buyers, or put these limits back',
    security: bearerAuth,
    params: EmailParams,
    body: z.object({ lifted: z.boolean('Say whether the limits are lifted') }),
    response: { 200: Account, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const removeUser = {
  method: 'DELETE',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'Close an account: it can no longer sign in, its sessions end, its unpaid orders end, the others stay',
    description: 'Never oneself, never an owner, never the last admin. The e-mail cannot register again; the account can be brought back.',
    security: bearerAuth,
    params: EmailParams,
    response: { 200: Account, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const revokeAdmin = {
  method: 'DELETE',
  url: '/user/admin/:email',
  schema: {
    tags,
    summary: 'Take the role of an admin back: the account goes on as a customer, its sessions end',
    description: 'For owners. Of an owner only by that owner, and never of the last one.',
    security: bearerAuth,
    params: EmailParams,
    response: { 200: z.object({ modifiedCount: z.int() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const listRemovedUsers = {
  method: 'GET',
  url: '/user/removed',
  schema: {
    tags,
    summary: `The ${maxRemovedUsersListed} accounts that were removed last, newest first`,
    security: bearerAuth,
    response: { 200: z.array(RemovedAccount), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const restoreUser = {
  method: 'PUT',
  url: '/user/restored/:email',
  schema: {
    tags,
    summary: 'Bring a removed account back, as a customer with the password that it had',
    security: bearerAuth,
    params: EmailParams,
    response: { 200: Account, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const signInForm = z.object({ email: Email, password })

/** Passwords need eight characters and no particular kinds of characters; the upper limit of 1000 is beyond what people type. */
export const registrationForm = z.object({
  name: fullName,
  email: Email,
  password: newPassword,
})

const resetRequestForm = z.object({ email: Email })

/** The form behind the link of a reset or verification email. */
export const newPasswordForm = z.object({ newPassword })

const SignInResponse = z.object({ token: z.string(), user: z.object({ name: z.string(), email: z.string() }) })

/** From here on: the sign-in provider's own endpoints, as the screens use them. */
export const signIn = {
  method: 'POST',
  url: '/auth/sign-in/email',
  schema: {
    tags,
    summary: 'Sign in with e-mail and password',
    body: signInForm,
    response: { 200: SignInResponse, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const register = {
  method: 'POST',
  url: '/auth/sign-up/email',
  schema: {
    tags,
    summary: 'Register; signs in at once',
    body: registrationForm,
    response: { 200: SignInResponse, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const signOut = {
  method: 'POST',
  url: '/auth/sign-out',
  schema: {
    tags,
    summary: 'Sign out: the access token ends',
    security: bearerAuth,
    body: z.object({}),
    response: { 200: z.object({ success: z.boolean() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

const StatusResponse = z.object({ status: z.literal(true) })

export const requestPasswordReset = {
  method: 'POST',
  url: '/auth/request-password-reset',
  schema: {
    tags,
    summary: 'Ask for a mail with a link to set a new password; the answer is the same whether the account exists',
    body: resetRequestForm,
    response: { 200: StatusResponse, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const resetPassword = {
  method: 'POST',
  url: '/auth/reset-password',
  schema: {
    tags,
    summary: 'Set a new password with the token of that link: works once, ends every session of the account',
    body: newPasswordForm.extend({ token: z.string(invalidLinkMessage).min(1, invalidLinkMessage).max(200, invalidLinkMessage) }),
    response: { 200: StatusResponse, default: ErrorResponse },
  },
} as const satisfies Endpoint

export const showVerificationStatus = {
  method: 'GET',
  url: '/auth/verification',
  schema: {
    tags,
    summary: 'Is the e-mail address of the account verified?',
    security: bearerAuth,
    response: { 200: z.object({ verified: z.boolean() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const resendVerificationEmail = {
  method: 'POST',
  url: '/auth/send-verification-email',
  schema: {
    tags,
    summary: 'Send the mail that verifies the e-mail address of the account again',
    security: bearerAuth,
    response: { 200: z.object({ verified: z.boolean() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const verifyEmail = {
  method: 'POST',
  url: '/auth/verify-email',
  schema: {
    tags,
    summary: 'Verify an e-mail address with the token of the mail: works once',
    description:
      'In a session of the account it takes the token alone. Anybody else has to set a new password with it, which ends the sessions of the account: whoever registered the address may not be who reads its mails. Without one the answer is 409 with `errors.newPassword`, and the token still works.',
    body: newPasswordForm.partial().extend({ token: z.string(invalidLinkMessage).min(1, invalidLinkMessage).max(200, invalidLinkMessage) }),
    response: { 200: z.object({ email: z.string() }), default: ErrorResponse },
  },
} as const satisfies Endpoint

export const signInWithGoogle = {
  method: 'POST',
  url: '/auth/sign-in/google',
  schema: {
    tags,
    summary: 'Begin a sign-in with Google: answers the address to go to; Google leads back to /login/google',
    body: z.object({ from: z.string().max(2000).optional() }),
    response: { 200: z.object({ url: z.string() }), default: ErrorResponse },
  },
} as const satisfies Endpoint
