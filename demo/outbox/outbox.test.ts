import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { registerApiDocs } from '#platform/api-docs.ts'
import { composeEmail } from '#platform/compose-email.ts'
import { createHttpApp } from '#platform/http.ts'
import { createMailer, type EmailAttachment } from '#platform/mail.ts'
import { registerOutboxRoutes } from './outbox.ts'

const word = composeEmail({
  to: 'ada@shop.example',
  subject: 'Set a new password <b>now</b>',
  paragraphs: ['Hello Ada & "Co", <script>alert(1)</script>'],
  action: { words: 'Set a new password', url: 'http://localhost:3000/reset-password#secret' },
  closing: 'Nucleus of PC.',
})

const key = 'the key that the start printed'.replaceAll(' ', '-')

/** A store's outbox with one mail in it, and a secret beside it; who asks has its key. */
async function anOutbox({ publicUrl = 'http://localhost:3000', mails = 1, attachments = [] as EmailAttachment[] } = {}) {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'outbox-'))
  const outbox = path.join(parent, 'outbox')
  const mailer = createMailer({ smtpUrl: undefined, from: 'Nucleus of PC <store@shop.example>', outboxDir: outbox })
  for (let nth = 0; nth < mails; nth++) await mailer.send({ ...word, attachments })
  mailer.close()
  writeFileSync(path.join(parent, 'secret.eml'), 'Subject: a secret of the owner\r\n\r\nsecret')
  const app = createHttpApp()
  registerApiDocs(app, { title: 'Nucleus of PC', version: '1', description: '', publicUrl })
  const opened = registerOutboxRoutes(app, { outbox, font: path.join(import.meta.dirname, '../../web/fonts/geist.woff2'), publicUrl, key })
  const ask = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url, headers: { host: 'localhost:3000', cookie: `nucleus.outbox=${key}`, ...headers }, remoteAddress })
  return {
    opened,
    folder: outbox,
    ask,
    file: mails > 0 ? readdirSync(outbox)[0] : undefined,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      rmSync(parent, { recursive: true })
    },
  }
}

test('who sits at the machine of the store and has the key reads its mails, as text and as HTML that runs nothing', async () => {
  await using box = await anOutbox()
  assert.equal(box.opened, true)

  for (const [host, from] of [
    ['localhost:3000', '127.0.0.1'],
    ['127.0.0.1:3000', '::ffff:127.0.0.1'],
    ['[::1]:3000', '::1'],
  ] as const)
    assert.equal((await box.ask('/outbox', { host }, from)).statusCode, 200, host)

  const list = await box.ask('/outbox')
  assert.ok(list.body.includes(`href="/outbox/${box.file}"`))
  assert.ok(list.body.includes('to ada@shop.example'))
  const mail = await box.ask(`/outbox/${box.file}`)
  assert.ok(mail.body.includes('href="http://localhost:3000/reset-password#secret"'))
  const html = await box.ask(`/outbox/${box.file}/html`)
  assert.ok(html.body.includes('href="http://localhost:3000/reset-password#secret"'))
  for (const { body, headers } of [list, mail, html]) {
    assert.doesNotMatch(body, /<script|<b>now/)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; (?!.*script-src)/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  }
  assert.match(String(html.headers['content-security-policy']), /sandbox(?!.*allow-scripts)/)
})

test('an outbox without mails says so', async () => {
  await using box = await anOutbox({ mails: 0 })
  const { statusCode, body, headers } = await box.ask('/outbox')
  assert.equal(statusCode, 200)
  assert.match(body, /No mail yet/)
  assert.match(body, /<img src="\/drawings\/no-mail\.svg"/)
  assert.match(`${headers['content-security-policy']}`, /img-src 'self' data:;/, 'its own policy lets the picture through')
})

test("the outbox is written in the store's typeface", async () => {
  await using box = await anOutbox()
  const { body, headers } = await box.ask('/outbox')
  const [, address = ''] = /@font-face\{font-family:Geist;src:url\(([^)]+)\)/.exec(body) ?? []
  const font = await box.ask(address)
  assert.equal(font.statusCode, 200)
  assert.equal(font.headers['content-type'], 'font/woff2')
  assert.equal(font.rawPayload.subarray(0, 4).toString(), 'wOF2')
  assert.match(`${headers['content-security-policy']}`, /font-src 'self';/, 'its own policy lets it through')
})

test('nobody else sees the outbox: not from elsewhere, not through a proxy, not under another name', async () => {
  await using box = await anOutbox()

  for (const url of ['/outbox', `/outbox/${box.file}`, `/outbox/${box.file}/html`, '/outbox/x.eml', '/outbox/geist.woff2'])
    for (const [headers, from] of [
      [{}, '192.0.2.7'],
      [{}, '10.0.0.1'],
      [{}, '::ffff:192.0.2.7'],
      [{}, '2001:db8::1'],
      [{}, '1270.0.0.1'],
      [{ 'x-forwarded-for': '127.0.0.1' }],
      [{ 'x-forwarded-for': '192.0.2.7' }],
      [{ 'x-forwarded-for': '' }],
      [{ 'x-forwarded-host': 'localhost' }],
      [{ forwarded: 'for=127.0.0.1' }],
      [{ 'x-real-ip': '127.0.0.1' }],
      [{ via: '1.1 proxy' }],
      [{ host: 'shop.example' }],
      [{ host: 'localhost.shop.example:3000' }],
      [{ host: 'shop.example#localhost' }],
      [{ host: '127.0.0.1.nip.io' }],
    ] as const) {
      const answer = await box.ask(url, headers, from)
      assert.equal(answer.statusCode, 403, `${url} ${JSON.stringify(headers)} ${from}`)
      assert.equal(answer.json().message, 'The outbox opens on the machine of the store only')
    }
})

test('without the key no page and no file of the outbox opens; the address with the key opens them all', async () => {
  await using box = await anOutbox()
  for (const url of ['/outbox', '/outbox/geist.woff2', `/outbox/${box.file}`, `/outbox/${box.file}/html`, '/outbox/x.eml', '/outbox?key='])
    for (const cookie of ['', 'nucleus.outbox=', `nucleus.outbox=${key}x`, `nucleus.outbox=${'x'.repeat(key.length)}`, `other=${key}`]) {
      const answer = await box.ask(url, { cookie })
      assert.equal(answer.statusCode, 403, `${url} ${cookie}`)
      assert.match(answer.body, /The outbox is locked.*the address that the store printed when it started/)
      assert.doesNotMatch(answer.body, /ada@shop|reset-password/)
    }
  const inBrowser = await box.ask('/outbox', { cookie: '', accept: 'text/html,*/*' })
  assert.deepEqual([inBrowser.statusCode, inBrowser.headers['content-type']], [403, 'text/html; charset=utf-8'])
  assert.match(inBrowser.body, /<h1>The outbox is locked<\/h1>.*the address that the store printed when it started/)
  for (const wrong of ['key=wrong', `key=${key}x`, `key=${key}&key=${key}`, `Key=${key}`])
    assert.equal((await box.ask(`/outbox?${wrong}`, { cookie: '' })).statusCode, 403, wrong)

  const opened = await box.ask(`/outbox?key=${key}`, { cookie: '' })
  assert.deepEqual([opened.statusCode, opened.headers.location], [303, '/outbox'], 'the key leaves the address')
  assert.equal(opened.headers['referrer-policy'], 'no-referrer', 'nor is it told to who is linked to')
  assert.equal(opened.headers['cache-control'], 'no-store', 'nor does the browser keep it')
  assert.equal(opened.headers['set-cookie'], `nucleus.outbox=${key}; Path=/outbox; HttpOnly; SameSite=Strict`)
  for (const [url, statusCode] of [
    ['/outbox', 200],
    [`/outbox/${box.file}`, 200],
    [`/outbox/${box.file}/html`, 200],
    ['/outbox/geist.woff2', 200],
  ] as const)
    assert.equal((await box.ask(url, { cookie: `a=b; nucleus.outbox=${key}; c=d` })).statusCode, statusCode, url)
})

test('the outbox hands out its mails and no other file', async () => {
  await using box = await anOutbox()

  for (const name of [
    '..%2Fsecret.eml',
    '../secret.eml',
    '%2E%2E%2Fsecret.eml',
    '..%5Csecret.eml',
    '....//secret.eml',
    '%2Fetc%2Fpasswd',
    `${box.file}%2F..%2F..%2Fsecret.eml`,
    `.%2F${box.file}`,
    `${box.file}.part`,
    'x.eml',
    '..',
    '.eml%0A',
  ])
    for (const url of [`/outbox/${name}`, `/outbox/${name}/html`]) {
      const answer = await box.ask(url)
      assert.equal(answer.statusCode, 404, `${url} ${answer.body}`)
      assert.doesNotMatch(answer.body, /secret of the owner/)
    }
  assert.equal((await box.ask('/outbox/%00.eml')).statusCode, 400)
})

test('the newest mail stands first in the outbox', async () => {
  await using box = await anOutbox({ mails: 0 })
  mkdirSync(box.folder)
  for (const nth of [2, 3, 1])
    writeFileSync(
      path.join(box.folder, `2026-01-0${nth}.eml`),
      `From: store@shop.example\r\nTo: ada@shop.example\r\nSubject: mail ${nth}\r\n\r\n`,
    )
  assert.deepEqual((await box.ask('/outbox')).body.match(/mail \d/g), ['mail 3', 'mail 2', 'mail 1'])
})

test('the outbox, which no program is to call, does not stand among the described calls', async () => {
  await using box = await anOutbox()
  const document = await box.ask('/api/openapi.json')
  assert.deepEqual([document.statusCode, document.json().paths], [200, {}])
})

test('a store whose public address is elsewhere has no outbox', async () => {
  for (const publicUrl of ['https://shop.example', 'http://192.0.2.7:3000', 'http://localhost.shop.example']) {
    await using box = await anOutbox({ publicUrl })
    assert.equal(box.opened, false)
    for (const url of ['/outbox', `/outbox/${box.file}`]) assert.equal((await box.ask(url)).statusCode, 404)
  }
})

test('the files of a mail are named on its page and load from there, and no others', async () => {
  await using box = await anOutbox({
    attachments: [{ filename: '2026-1.pdf', content: Buffer.from('%PDF-'), contentType: 'application/pdf' }],
  })
  const page = await box.ask(`/outbox/${box.file}`)
  assert.match(page.body, new RegExp(`<a href="/outbox/${box.file}/attachments/0">2026-1\\.pdf</a>`))
  const file = await box.ask(`/outbox/${box.file}/attachments/0`)
  assert.deepEqual(
    [file.statusCode, file.body, file.headers['content-disposition'], file.headers['content-type']],
    [200, '%PDF-', 'attachment; filename="2026-1.pdf"', 'application/octet-stream'],
  )
  for (const nth of ['1', '-1', 'x', '0.5'])
    assert.ok([400, 404].includes((await box.ask(`/outbox/${box.file}/attachments/${nth}`)).statusCode), nth)
  assert.equal((await box.ask(`/outbox/${box.file}/attachments/0`, { cookie: '' })).statusCode, 403)
})
