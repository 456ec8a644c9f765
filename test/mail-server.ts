import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail server that takes mails from who knows the password, unless it is full. */
export async function startMailServer({ full = false } = {}) {
  const taken: { message: Buffer; from: string; to: string[]; by: string }[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === 'shop' && password === 'p@ss word' ? done(null, { user: username }) : done(new Error('Wrong password')),
    onData: (stream, { envelope: { mailFrom, rcptTo }, user }, done) => {
      buffer(stream).then((message) => {
        if (full) return done(Object.assign(new Error('Mailbox full'), { responseCode: 452 }))
        taken.push({ message, from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), by: String(user) })
        done()
      }, done)
    },
  })
  server.on('error', () => {}) // a client that gives up
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    taken,
    address: (password = 'p@ss word') => `smtp://shop:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}
