import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { startMailServer } from '#test/mail-server.ts'
import { composeEmail } from './compose-email.ts'
import { createMailer } from './mail.ts'

const from = 'Nucleus of PC <orders@shop.example>'
const word = composeEmail({
  to: 'ada@shop.example',
  subject: 'Your order: 25 × “Zange” für $1,250',
  paragraphs: [
    'Hello Ada, we got your order of 25 pieces, and this line is much longer than the 76 characters that a line of a mail may have.',
    'A line\n.with a dot alone below\n.\nand <b>no</b> HTML & none of "it".',
  ],
  action: { words: 'See my order', url: 'https://shop.example/dashboard/myorder?a=1&b=2#x' },
  closing: 'Nucleus of PC.',
})

/** What a reader gets: who writes to whom, and both halves, decoded. Line ends are the mail's own. */
async function read(message: Buffer) {
  const { subject, from, to, text = '', html = '', date } = await PostalMime.parse(message)
  assert.ok(Math.abs(Date.parse(date ?? '') - Date.now()) < 60_000, 'it says when it was sent')
  const addressed = to?.map(({ address }) => address)
  return {
    subject,
    from: `${from?.name} <${from?.address}>`,
    to: addressed,
    text: text.replaceAll('\r\n', '\n').trimEnd(),
    html: html.trimEnd(),
  }
}
const asSent = { subject: word.subject, from, to: ['ada@shop.example'], text: word.text, html: word.html }

function anOutbox() {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'outbox-'))
  return { outbox: path.join(parent, 'outbox'), [Symbol.dispose]: () => rmSync(parent, { recursive: true }) }
}

test('a mail arrives at the mail server with its subject, sender, recipient, text and HTML', async () => {
  await using server = await startMailServer()
  using folder = anOutbox()
  const mailer = createMailer({ smtpUrl: server.address(), from, outboxDir: folder.outbox })
  try {
    await mailer.send(word)
    await mailer.send({ ...word, to: 'bob@shop.example' })
  } finally {
    mailer.close()
  }

  const [first, second, ...others] = server.taken
  assert.ok(first && second && others.length === 0)
  assert.deepEqual([first.from, first.to, first.by], ['orders@shop.example', ['ada@shop.example'], 'shop'])
  assert.deepEqual(second.to, ['bob@shop.example'])
  assert.deepEqual(await read(first.message), asSent)
  assert.match(first.message.toString(), /^content-type: multipart\/alternative/im)
  assert.throws(() => readdirSync(folder.outbox), { code: 'ENOENT' }, 'nothing lies in the outbox as well')
})

test('nobody writes another mail into a mail, whatever stands in its subject and recipient', async () => {
  await using server = await startMailServer()
  const mailer = createMailer({ smtpUrl: server.address(), from, outboxDir: '' })
  try {
    await mailer.send({ ...word, subject: 'Hello\r\nBcc: eve@shop.example\r\n\r\nBuy elsewhere' })
    for (const to of ['ada@shop.example\r\nBcc: eve@shop.example', 'ada@shop.example, eve@shop.example', 'Ada: eve@shop.example;'])
      await mailer.send({ ...word, to }).catch(() => {})
  } finally {
    mailer.close()
  }

  for (const { to, message } of server.taken) {
    assert.ok(!to.includes('eve@shop.example'), to.join())
    assert.doesNotMatch(message.toString(), /^(bcc|buy)/im)
  }
})

test('a mail that the mail server does not take is told to who sends it', async () => {
  await using full = await startMailServer({ full: true })
  const sendTo = async (smtpUrl: string) => {
    const mailer = createMailer({ smtpUrl, from, outboxDir: '' })
    await mailer.send(word).finally(() => mailer.close())
  }

  await assert.rejects(sendTo(full.address()), /Mailbox full/)
  await assert.rejects(sendTo(full.address('a wrong one')), { code: 'EAUTH' })
  await assert.rejects(sendTo('smtp://127.0.0.1:9'), /ECONNREFUSED/)
  assert.deepEqual(full.taken, [])
})

test('without a mail server a mail lies in the outbox, where only the owner of the store can read it', async () => {
  using folder = anOutbox()
  const mailer = createMailer({ smtpUrl: undefined, from, outboxDir: folder.outbox })
  await mailer.send(word)
  await mailer.send({ ...word, to: 'bob@shop.example' })
  mailer.close()

  const files = readdirSync(folder.outbox).sort()

  assert.equal(files.length, 2)
  assert.equal(statSync(folder.outbox).mode & 0o777, 0o700)
  for (const file of files) {
    assert.match(file, /^\d{4}-\d\d-\d\dT[\d-]+\.\d{3}Z-[\da-f]{8}\.eml$/)
    assert.equal(statSync(path.join(folder.outbox, file)).mode & 0o777, 0o600)
  }
  const [first, second] = await Promise.all(files.map((file) => read(readFileSync(path.join(folder.outbox, file)))))
  assert.deepEqual(first, asSent)
  assert.deepEqual(second, { ...asSent, to: ['bob@shop.example'] })
})
