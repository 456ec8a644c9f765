import * as z from 'zod'
import { isCommonPassword } from '#platform/common-passwords.ts'
import { requiredTextSchema } from '#shared/required-text.ts'

/* What an account may have as e-mail, name and password. */

/**
 * E-mail addresses are compared case-insensitively everywhere, so they are lowercased on input. The lengths are those of RFC 5321,
 * 4.5.3.1; a longer address would also be too long for the unique index on addresses.
 */
export const Email = z
  .string('e-mail is required')
  .trim()
  .toLowerCase()
  .min(1, 'Enter your e-mail')
  .max(254, 'An e-mail address has at most 254 characters')
  .pipe(z.email('This is not an e-mail address'))
  .refine((address) => address.lastIndexOf('@') <= 64, 'An e-mail address has at most 64 characters before the @')

/**
 * A URL, a dot between a character and two letters or digits, as in every domain, or an IPv4 address: mail clients turn them into links.
 * Initials such as "A.B." have one letter after each dot. Tested on the NFKC form, where the ideographic full stop is the only other dot that
 * domains may be written with.
 */
const webAddressPattern = /:\/\/|\bwww[.\u3002]|[^\s.\u3002][.\u3002][\p{L}\p{M}\p{N}]{2}|\d+([.\u3002]\d+){3}/iu
const hasWebAddress = (name: string) => webAddressPattern.test(name.normalize('NFKC').replace(/\p{Cf}/gu, ''))
/** Line breaks, other control characters, and characters that change the text direction. */
const controlCharacterPattern = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** A name that emails repeat to whatever address was entered with it, so it must not contain a message or a link. */
export const nameInEmails = (requiredMessage: string, maxLength: number) =>
  requiredTextSchema(requiredMessage, maxLength)
    .refine((name) => !controlCharacterPattern.test(name), 'A name stands on one line, without control characters')
    .refine((name) => !hasWebAddress(name), 'A name has no web address in it: leave it out, or put a space after the dot')

/** A person's name. */
export const fullName = nameInEmails('Enter your full name', 80)

/** Whether a name may be repeated in an email. Names from before this rule and names from Google may contain anything. */
export const isFullName = (name: string): boolean => fullName.safeParse(name).success

export const password = z.string('Enter a password').min(1, 'Enter a password').max(1000, 'At most 1000 characters')

export const newPassword = password
  .min(8, 'Use 8 characters or more')
  .refine((chosen) => !isCommonPassword(chosen), 'This password is one of the first that others try: choose another')
