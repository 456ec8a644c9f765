import { composeEmail } from '#platform/compose-email.ts'
import type { EmailMessage } from '#platform/mail.ts'
import { isFullName } from './account-fields.ts'

type Recipient = { name: string; email: string }
/** Seven digits with little between them are a telephone number, and the text around it a message. */
export const hasTelephoneNumber = (text: string): boolean => /\d(?:[\s()+./-]*\d){6}/.test(text)

/** Whether an email may say a name: one from before the rules for names, or from Google, may be a message or have a link. */
export const isNameInMails = (name: string): boolean => isFullName(name) && !hasTelephoneNumber(name)

export const greeting = ({ name }: { name: string }) => (isNameInMails(name) ? `Hello ${name},` : 'Hello,')

/** How long the links in these emails work. */
export const linkLifetimeMinutes = 60
/** How long a reset link works that was sent to an unverified address. */
export const unverifiedResetLinkHours = 24

export const verificationEmail = (to: Recipient, url: string): EmailMessage =>
  composeEmail({
    to: to.email,
    subject: 'Verify your e-mail for Nucleus of PC',
    paragraphs: [
      `${greeting(to)} please confirm that this e-mail address is yours.`,
      `You can order and pay meanwhile. The link works once, for ${linkLifetimeMinutes} minutes; My Profile sends another.`,
      'If you did not register at Nucleus of PC, do nothing: somebody typed your address, and it stays unverified. Or open the link and set a password: the account is yours then, and whoever made it is signed out.',
    ],
    action: { words: 'Verify my e-mail', url },
    closing: 'Nucleus of PC. You get this mail because an account was registered with your address.',
  })

export const resetPasswordEmail = (to: Recipient, url: string, lifetime: string): EmailMessage =>
  composeEmail({
    to: to.email,
    subject: 'Set a new password for Nucleus of PC',
    paragraphs: [
      `${greeting(to)} set a new password with this link.`,
      `It works once, for ${lifetime}. With the new password every sign-in of your account ends, on all devices.`,
      'If you did not ask for it, do nothing: your password stays as it is.',
    ],
    action: { words: 'Set a new password', url },
    closing: 'Nucleus of PC. You get this mail because a new password was asked for this address.',
  })

export const passwordChangedEmail = (to: Recipient, loginUrl: string): EmailMessage =>
  composeEmail({
    to: to.email,
    subject: 'Your password for Nucleus of PC was changed',
    paragraphs: [
      `${greeting(to)} the password of your account was changed just now, and every sign-in with the old one has ended.`,
      'If that was not you, set another password at once: press Reset Password on the login page.',
    ],
    action: { words: 'Go to the login page', url: loginUrl },
    closing: 'Nucleus of PC. Every change of a password is reported to its owner.',
  })

export const passwordRemovedEmail = (to: Recipient, loginUrl: string): EmailMessage =>
  composeEmail({
    to: to.email,
    subject: 'You sign in to Nucleus of PC with Google now',
    paragraphs: [
      `${greeting(to)} Google was linked to your account just now. The password that the account had has ended, and so has every sign-in with it.`,
      'It was never shown that whoever set that password reads your mails. If you want one beside Google, press Reset Password on the login page.',
    ],
    action: { words: 'Go to the login page', url: loginUrl },
    closing: 'Nucleus of PC. Every change of a password is reported to its owner.',
  })
