import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'

/** What is said in a mail; it goes out as HTML and as text. */
export type Letter = {
  to: string
  subject: string
  text: string
  html: string
  /** where the same letter may have to be sent again after a crash: its Message-ID is made of it, so that its reader sees one */
  id?: string
  /** when what it tells of happened; needed beside `id` */
  at?: Date
}

export type Mailer = {
  /** Resolves once the message is handed over. */
  send(letter: Letter): Promise<void>
  close(): void
}

type MailSettings = {
  /** e.g. `smtps://user:password@mail.example:465`; without it messages are laid into the outbox */
  smtpUrl: string | undefined
  /** e.g. `Nucleus of PC <orders@shop.example>` */
  from: string
  /** folder for the messages (`*.eml`) of a store without SMTP */
  outbox: string
}

/** Sends real messages (RFC 5322, multipart/alternative): by SMTP, or as files that any mail program opens. */
export function openMailer({ smtpUrl, from, outbox }: MailSettings): Mailer {
  if (smtpUrl) {
    const smtp = createTransport(withTimeouts(smtpUrl), { from })
    return { send: async (letter) => void (await smtp.sendMail(asMessage(letter, from))), close: () => smtp.close() }
  }
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }, { from })
  return {
    async send(letter) {
      const { message } = await composer.sendMail(asMessage(letter, from))
      if (!Buffer.isBuffer(message)) throw new Error('The message was not composed')
      await mkdir(outbox, { recursive: true, mode: 0o700 })
      const { at = new Date(), id = crypto.randomUUID().slice(0, 8) } = letter
      const file = path.join(outbox, `${at.toISOString().replaceAll(':', '-')}-${id}.eml`) // the same again replaces itself
      await writeFile(`${file}.part`, message, { mode: 0o600 }) // it holds links that open accounts
      await rename(`${file}.part`, file)
    },
    close: () => composer.close(),
  }
}

/** To one address, whatever stands in it: written as text it could name several. */
const asMessage = ({ to, id, at, ...letter }: Letter, from: string) => ({
  ...letter,
  to: { name: '', address: to },
  ...(at && { date: at }),
  ...(id && { messageId: `<${id}@${from.match(/@([^<>\s]+)>?\s*$/)?.[1] ?? 'store'}>` }),
})

/** A server that does not answer is given up in time for the store to close. */
function withTimeouts(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const [step, milliseconds] of [
    ['connectionTimeout', 10_000],
    ['greetingTimeout', 10_000],
    ['socketTimeout', 20_000],
  ] as const)
    if (!url.searchParams.has(step)) url.searchParams.set(step, `${milliseconds}`)
  return url.href
}
