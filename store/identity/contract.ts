import * as z from 'zod'
import { type Call, Refused, withToken } from '#store/call.ts'
import { requiredText } from '#store/required-text.ts'
import { commonPasswords } from './common-passwords.ts'

/** Who is asking, as the guards know it from the access token. */
export type User = { id: string; name: string; email: string; role: 'customer' | 'admin' }

/** E-mail addresses compare without case everywhere, so they are small as soon as they come in. */
const Email = z.string('e-mail is required').trim().toLowerCase().pipe(z.email('This is not an e-mail address'))
export const ByEmail = z.object({ email: Email })

/** An account as admins see it. */
export const Account = z.object({ _id: z.string(), email: z.string(), role: z.enum(['customer', 'admin']) }).meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

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

export const removeUser = {
  method: 'DELETE',
  url: '/user/:email',
  schema: {
    tags,
    summary: 'Close an account: it can no longer sign in, its sessions end, its orders stay',
    description: 'Never oneself, never the last admin. The e-mail cannot register again.',
    security: withToken,
    params: ByEmail,
    response: { 200: Account, default: Refused },
  },
} as const satisfies Call

const password = z.string('Enter a password').min(1, 'Enter a password').max(1000, 'At most 1000 characters')

const newPassword = password
  .min(8, 'Use 8 characters or more')
  .refine((chosen) => !commonPasswords.has(chosen.toLowerCase()), 'This password is one of the first that others try: choose another')

/** What the login form asks. */
export const signInForm = z.object({ email: Email, password })

/** What the registration form asks. No recipes for passwords: eight characters, no upper limit that a person meets. */
export const registrationForm = z.object({
  name: requiredText('Enter your full name', 200),
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
    body: z.object({ token: z.string(brokenLink).min(1, brokenLink).max(200, brokenLink) }),
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
