import * as z from 'zod'
import { isCommonPassword } from '#platform/common-passwords.ts'
import { type Call, Refused, withToken } from '#store/call.ts'
import { requiredText } from '#store/required-text.ts'

/** Who is asking, as the guards know it from the access token. */
export type User = { id: string; name: string; email: string; role: 'customer' | 'admin' }

/**
 * E-mail addresses compare without case everywhere, so they are small as soon as they come in. The lengths are those of RFC 5321, 4.5.3.1;
 * a longer address would also be too long for the index that keeps addresses unique.
 */
const Email = z
  .string('e-mail is required')
  .trim()
  .toLowerCase()
  .min(1, { error: 'Enter your e-mail', abort: true })
  .max(254, 'An e-mail address has at most 254 characters')
  .pipe(z.email('This is not an e-mail address'))
  .refine((address) => address.lastIndexOf('@') <= 64, 'An e-mail address has at most 64 characters before the @')
export const ByEmail = z.object({ email: Email })

/** An account as admins see it; `owner` stands at owners alone, whose role is admin, and `verified` only where it is false. */
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

/** An account that can no longer sign in; `removedAt` is an ISO 8601 moment. */
export const RemovedAccount = z.object({ _id: z.string(), email: z.string(), removedAt: z.string() }).meta({ id: 'RemovedAccount' })
export type RemovedAccount = z.infer<typeof RemovedAccount>
/** How many of them are listed: an older one comes back by its e-mail. */
export const mostRemoved = 100

/** Said before somebody is made an admin, and to owners after. */
export const whatAdminsMay =
  'change products, prices and stock, see all orders and customers, refund payments, and make or remove other admins'

const tags = ['Identity']
/** Said of a link in a mail that was used, is too old, or never was one. */
export const brokenLink = 'This link does not work any more: ask for a new one'

export const takeToken = {
  method: 'PUT',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'The access token, for whoever just signed in as this e-mail with the sign-in provider',
    description:
      'The proof is the sign-in: its session token as a bearer, or its cookie. The body may repeat the e-mail; the address decides.',
    params: ByEmail,
    body: z.object({ email: Email.optional() }).optional(),
    response: { 200: z.object({ token: z.string() }), default: Refused },
  },
} as const satisfies Call

export const showSession = {
  method: 'GET',
  url: '/auth/session',
  schema: {
    tags,
    summary: 'Who has just signed in with the sign-in provider, by its cookie or its session token as a bearer',
    response: { 200: z.object({ name: z.string(), email: z.string() }), default: Refused },
  },
} as const satisfies Call

export const askAdmin = {
  method: 'GET',
  url: '/admin/:email',
  schema: {
    tags,
    summary: 'Is this account an admin?',
    security: withToken,
    params: ByEmail,
    response: { 200: z.object({ admin: z.boolean() }), default: Refused },
  },
} as const satisfies Call

export const listUsers = {
  method: 'GET',
  url: '/user',
  schema: { tags, summary: 'All accounts, oldest first', security: withToken, response: { 200: z.array(Account), default: Refused } },
} as const satisfies Call

export const makeAdmin = {
  method: 'PUT',
  url: '/user/admin/:email',
  schema: {
    tags,
    summary: 'Make an account an admin',
    description: 'modifiedCount is 0 where it was one already.',
    security: withToken,
    params: ByEmail,
    response: { 200: z.object({ modifiedCount: z.int() }), default: Refused },
  },
} as const satisfies Call

export const liftLimits = {
  method: 'PUT',
  url: '/user/limits/:email',
  schema: {
    tags,
    summary: 'Let an account order without the limits of buyers, or put these limits back',
    security: withToken,
    params: ByEmail,
    body: z.object({ lifted: z.boolean('Say whether the limits are lifted') }),
    response: { 200: Account, default: Refused },
  },
} as const satisfies Call

export const removeUser = {
  method: 'DELETE',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'Close an account: it can no longer sign in, its sessions end, its unpaid orders end, the others stay',
    description: 'Never oneself, never an owner, never the last admin. The e-mail cannot register again; the account can be brought back.',
    security: withToken,
    params: ByEmail,
    response: { 200: Account, default: Refused },
  },
} as const satisfies Call

export const takeAdminBack = {
  method: 'DELETE',
  url: '/user/admin/:email',
  schema: {
    tags,
    summary: 'Take the role of an admin back: the account goes on as a customer, its sessions end',
    description: 'For owners. Of an owner only by that owner, and never of the last one.',
    security: withToken,
    params: ByEmail,
    response: { 200: z.object({ modifiedCount: z.int() }), default: Refused },
  },
} as const satisfies Call

export const listRemoved = {
  method: 'GET',
  url: '/user/removed',
  schema: {
    tags,
    summary: `The ${mostRemoved} accounts that were removed last, newest first`,
    security: withToken,
    response: { 200: z.array(RemovedAccount), default: Refused },
  },
} as const satisfies Call

export const restoreUser = {
  method: 'PUT',
  url: '/user/restored/:email',
  schema: {
    tags,
    summary: 'Bring a removed account back, as a customer with the password that it had',
    security: withToken,
    params: ByEmail,
    response: { 200: Account, default: Refused },
  },
} as const satisfies Call

/** An address, a domain with something behind it, or a domain alone: mail programs make a link of each. */
const webAddress = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.[\p{L}\p{N}-]{2,}[/?#:]|[\p{L}\p{N}-]{3,}\.\p{L}{2,}/iu
/** Line breaks and other control characters, and those that turn the direction of the text around them. */
const control = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** The name of a person, which mails repeat to whatever address was typed beside it: so it must not carry a message or a link. */
const fullName = requiredText('Enter your full name', 80)
  .refine((name) => !control.test(name), 'A name stands on one line, without control characters')
  .refine((name) => !webAddress.test(name), 'A name has no web address in it: leave it out, or put a space after the dot')

/** Whether a name may be repeated in a mail; names from before this rule, and those from Google, may be anything. */
export const isFullName = (name: string): boolean => fullName.safeParse(name).success

const password = z.string('Enter a password').min(1, 'Enter a password').max(1000, 'At most 1000 characters')

const newPassword = password
  .min(8, 'Use 8 characters or more')
  .refine((chosen) => !isCommonPassword(chosen), 'This password is one of the first that others try: choose another')

/** What the login form asks. */
export const signInForm = z.object({ email: Email, password })

/** What the registration form asks. No recipes for passwords: eight characters, no upper limit that a person meets. */
export const registrationForm = z.object({
  name: fullName,
  email: Email,
  password: newPassword,
})

/** What asks for a link to set a new password. */
const resetRequest = z.object({ email: Email })

/** What the link in that mail asks. */
export const newPasswordForm = z.object({ newPassword })

const SignedIn = z.object({ token: z.string(), user: z.object({ name: z.string(), email: z.string() }) })

/** The sign-in provider's own calls, as the screens use them. */
export const signIn = {
  method: 'POST',
  url: '/auth/sign-in/email',
  schema: { tags, summary: 'Sign in with e-mail and password', body: signInForm, response: { 200: SignedIn, default: Refused } },
} as const satisfies Call

export const register = {
  method: 'POST',
  url: '/auth/sign-up/email',
  schema: { tags, summary: 'Register; signs in at once', body: registrationForm, response: { 200: SignedIn, default: Refused } },
} as const satisfies Call

export const signOut = {
  method: 'POST',
  url: '/auth/sign-out',
  schema: {
    tags,
    summary: 'Sign out: the access token ends',
    security: withToken,
    body: z.object({}),
    response: { 200: z.object({ success: z.boolean() }), default: Refused },
  },
} as const satisfies Call

const Done = z.object({ status: z.literal(true) })

export const requestReset = {
  method: 'POST',
  url: '/auth/request-password-reset',
  schema: {
    tags,
    summary: 'Ask for a mail with a link to set a new password; the answer is the same whether the account exists',
    body: resetRequest,
    response: { 200: Done, default: Refused },
  },
} as const satisfies Call

export const resetPassword = {
  method: 'POST',
  url: '/auth/reset-password',
  schema: {
    tags,
    summary: 'Set a new password with the token of that link: works once, ends every session of the account',
    body: newPasswordForm.extend({ token: z.string(brokenLink).min(1, brokenLink).max(200, brokenLink) }),
    response: { 200: Done, default: Refused },
  },
} as const satisfies Call

export const showVerification = {
  method: 'GET',
  url: '/auth/verification',
  schema: {
    tags,
    summary: 'Is the e-mail address of the account verified?',
    security: withToken,
    response: { 200: z.object({ verified: z.boolean() }), default: Refused },
  },
} as const satisfies Call

export const askToVerify = {
  method: 'POST',
  url: '/auth/send-verification-email',
  schema: {
    tags,
    summary: 'Send the mail that verifies the e-mail address of the account again',
    security: withToken,
    response: { 200: z.object({ verified: z.boolean() }), default: Refused },
  },
} as const satisfies Call

export const verifyEmail = {
  method: 'POST',
  url: '/auth/verify-email',
  schema: {
    tags,
    summary: 'Verify an e-mail address with the token of the mail: works once',
    description:
      'In a session of the account it takes the token alone. Anybody else has to set a new password with it, which ends the sessions of the account: whoever registered the address may not be who reads its mails. Without one the answer is 409 with `errors.newPassword`, and the token still works.',
    body: newPasswordForm.partial().extend({ token: z.string(brokenLink).min(1, brokenLink).max(200, brokenLink) }),
    response: { 200: z.object({ email: z.string() }), default: Refused },
  },
} as const satisfies Call

export const signInWithGoogle = {
  method: 'POST',
  url: '/auth/sign-in/google',
  schema: {
    tags,
    summary: 'Begin a sign-in with Google: answers the address to go to; Google leads back to /login/google',
    body: z.object({ from: z.string().max(2000).optional() }),
    response: { 200: z.object({ url: z.string() }), default: Refused },
  },
} as const satisfies Call
