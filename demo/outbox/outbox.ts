import { timingSafeEqual } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import PostalMime from 'postal-mime'
import * as z from 'zod'
import type { Http } from '#platform/http.ts'
import { Refusal } from '#platform/refusal.ts'
import { listPage, lockedPage, mailPage } from './page.ts'

const fileName = /^[\w.-]+\.eml$/

const cookieName = 'nucleus.outbox'
const WithKey = z.object({ key: z.string() })

type Outbox = {
  /** the folder of the mails */
  outbox: string
  /** the file of the store's typeface */
  font: string
  publicUrl: string
  /** what opens it, said to who started the store and to nobody else */
  key: string
}

/**
 * Shows at `/outbox` the mails of a store without SMTP. They hold everybody's links, so only who started the store may see them: the
 * connection comes from loopback, the address typed is a loopback name, nothing stands between that would speak for others, and, since
 * every user of this machine can do that much, the key comes with it. `/outbox?key=` turns it into a cookie, which opens all the rest.
 * @returns whether there is one: a store whose public address is elsewhere has none
 */
export function openOutbox(app: Http, { outbox, font, publicUrl, key }: Outbox): boolean {
  if (!isLoopbackName(new URL(publicUrl).hostname)) return false
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self' data:; frame-src 'self'; frame-ancestors 'self'",
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  }

  app.register(async (door) => {
    door.addHook('onRequest', async (request) => {
      if (!isAtThisMachine(request)) throw new Refusal(403, 'The outbox opens on the machine of the store only')
    })

    door.addHook('preHandler', async (request, reply) => {
      if (isSame(WithKey.safeParse(request.query).data?.key, key)) return open(reply)
      if (isSame(keptKey(request), key)) return
      if (request.headers.accept?.includes('text/html')) return reply.code(403).headers(headers).send(lockedPage())
      throw new Refusal(403, 'The outbox is locked: open the address that the store printed when it started')
    })

    /** The key leaves the address at once: it would stay in the browser's history, and go along where the page is shown or copied. */
    const open = (reply: FastifyReply) =>
      reply
        .header('set-cookie', `${cookieName}=${key}; Path=/outbox; HttpOnly; SameSite=Strict`)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect('/outbox', 303)

    door.get('/outbox', { schema: { hide: true } }, async (_request, reply) => {
      const mails = await Promise.all((await files(outbox)).slice(0, 200).map(async (file) => ({ file, ...(await read(outbox, file)) })))
      return reply.headers(headers).send(listPage(mails))
    })

    door.get('/outbox/geist.woff2', { schema: { hide: true } }, async (_request, reply) =>
      reply.headers({ 'content-type': 'font/woff2', 'cache-control': 'private, max-age=86400' }).send(await readFile(font)),
    )

    door.get<{ Params: { file: string } }>('/outbox/:file', { schema: { hide: true } }, async ({ params: { file } }, reply) => {
      const mail = await find(outbox, file)
      return reply.headers(headers).send(mailPage(file, mail))
    })

    // The message as its reader's program would show it, in a frame of its own that may run nothing.
    door.get<{ Params: { file: string } }>('/outbox/:file/html', { schema: { hide: true } }, async ({ params: { file } }, reply) => {
      const { html = '' } = await find(outbox, file)
      return reply
        .headers({
          ...headers,
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox",
        })
        .send(html.replace('<head>', '<head><base target="_top">'))
    })
  })
  return true
}

const keptKey = ({ headers: { cookie = '' } }: FastifyRequest) =>
  cookie
    .split(/; */)
    .find((each) => each.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)

function isSame(given: string | undefined, key: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(key)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function files(outbox: string): Promise<string[]> {
  const names = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // no mail yet
    throw error
  })
  return names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse() // they begin with their time
}

async function find(outbox: string, file: string) {
  if (!fileName.test(file)) throw new Refusal(404, 'There is no such mail')
  return read(outbox, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Refusal(404, 'There is no such mail') : error
  })
}

async function read(outbox: string, file: string) {
  const { subject = '', from, to, date = '', text = '', html } = await PostalMime.parse(await readFile(path.join(outbox, file)))
  return { subject, from: from?.address ?? '', to: to?.map(({ address }) => address).join(', ') ?? '', date, text, html }
}

function isAtThisMachine({ socket, headers, host }: FastifyRequest): boolean {
  const handedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
  const { remoteAddress = '' } = socket
  const near = remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress)
  return near && !handedOn && isLoopbackName(host.replace(/:\d+$/, ''))
}

const isLoopbackName = (name: string) => ['localhost', '127.0.0.1', '[::1]'].includes(name)
