import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'

export type EmailAttachment = { filename: string; content: Buffer; contentType: string }

/** An email, sent as multipart/alternative with HTML and plain text. */
export type EmailMessage = {
  to: string
  subject: string
  text: string
  html: string
  /** for an email that may be sent again after a crash: its Message-ID is derived from this, so that mail clients show it once */
  messageIdSeed?: string
  /** when the reported event happened; required together with `messageIdSeed` */
  occurredAt?: Date
  attachments?: EmailAttachment[]
}

export type Mailer = {
  /** Resolves once the message is accepted by the SMTP server or written to the outbox. */
  send(email: EmailMessage): Promise<void>
  close(): void
}

type MailerOptions = {
  /** e.g. `smtps://user:password@mail.example:465`; without it messages are written to the outbox */
  smtpUrl: string | undefined
  /** e.g. `Nucleus of PC <orders@shop.example>` */
  from: string
  /** folder for the messages (`*.eml`) when no SMTP server is configured */
  outboxDir: string
}

/** Sends RFC 5322 messages by SMTP, or writes them as files that any email client opens. */
export function createMailer({ smtpUrl, from, outboxDir }: MailerOptions): Mailer {
  if (smtpUrl) {
    const smtp = createTransport(withDefaultTimeouts(smtpUrl), { from })
    return { send: async (email) => void (await smtp.sendMail(toNodemailerMessage(email, from))), close: () => smtp.close() }
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
  return {
    async send(email) {
      const { message } = await composer.sendMail(toNodemailerMessage(email, from))
      if (!Buffer.isBuffer(message)) throw new Error('The message was not composed')
      await mkdir(outboxDir, { recursive: true, mode: 0o700 })
      const { occurredAt = new Date(), messageIdSeed = crypto.randomUUID().slice(0, 8) } = email
      // Sending the same email again overwrites its file.
      const file = path.join(outboxDir, `${occurredAt.toISOString().replaceAll(':', '-')}-${messageIdSeed}.eml`)
      await writeFile(`${file}.part`, message, { mode: 0o600 }) // it may contain sign-in links
      await rename(`${file}.part`, file)
    },
    close: () => composer.close(),
  }
}

/** Passes the recipient as an object: as a string it could be parsed as several addresses. */
const toNodemailerMessage = ({ to, messageIdSeed, occurredAt, ...email }: EmailMessage, from: string) => ({
  ...email,
  to: { name: '', address: to },
  ...(occurredAt && { date: occurredAt }),
  ...(messageIdSeed && { messageId: `<${messageIdSeed}@${from.match(/@([^<>\s]+)>?\s*$/)?.[1] ?? 'store'}>` }),
})

/** Timeouts for an unresponsive SMTP server, short enough for the shutdown of the store. */
function withDefaultTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const [step, milliseconds] of [
    ['connectionTimeout', 10_000],
    ['greetingTimeout', 10_000],
    ['socketTimeout', 20_000],
  ] as const)
    if (!url.searchParams.has(step)) url.searchParams.set(step, `${milliseconds}`)
  return url.href
}
