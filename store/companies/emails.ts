import { composeEmail } from '#platform/compose-email.ts'
import type { EmailMessage } from '#platform/mail.ts'
import { formatDateTime } from '#shared/format-date-time.ts'
import { isNameInMails } from '#store/identity/emails.ts'
import { invitationDays } from './contract.ts'

type Invited = { email: string; company: string; invitedBy: string; expiresAt: string }

/** A name that may be a message is left out, see `isNameInMails`. No subject says a name. */
export const invitationEmail = ({ email, company, invitedBy, expiresAt }: Invited, url: string): EmailMessage => {
  const name = isNameInMails(company) ? company : 'a company'
  const who = isNameInMails(invitedBy) ? invitedBy : 'Somebody'
  return composeEmail({
    to: email,
    subject: 'An invitation to buy for a company at Nucleus of PC',
    paragraphs: [
      `Hello, ${who} invites you to ${name} at Nucleus of PC. Members of a company see its orders and share its addresses.`,
      `To accept, sign in with ${email}, or register with it and verify it. The link works once, for ${invitationDays} days, until ${formatDateTime(expiresAt)}.`,
      `You do not know ${who} or ${name}? Then do nothing: nobody is told, and nothing happens without you.`,
    ],
    action: { words: 'Look at the invitation', url },
    closing: `Nucleus of PC. You get this mail because ${who} has typed your address.`,
  })
}
