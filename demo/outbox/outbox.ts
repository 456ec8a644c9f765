import { timingSafeEqual } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import PostalMime from 'postal-mime'
import * as z from 'zod'
import type { HttpApp } from '#platform/http.ts'
import { HttpError } from '#platform/http-error.ts'
import { emailPage, listPage, lockedPage } from './page.ts'

const fileName = /^[\w.-]+\.eml$/

const cookieName = 'nucleus.outbox'
const WithKey = z.object({ key: z.string() })

type OutboxOptions = {
  /** folder with the email files */
  outbox: string
  /** font file */
  font: string
  publicUrl: string
  /** access key, printed only on the console at startup */
  key: string
}

/**
 * Shows the emails of a store without SMTP at `/outbox`. They contain the sign-in links of all users, so access is limited to the person
 * who started the store: the connection must come from loopback, the host must be a loopback name, and no proxy may be involved. As every
 * user of the machine can meet these conditions, the access key is required as well. `/outbox?key=` stores it in a cookie for further
 * requests.
 * @returns false when the public URL is not on loopback: then there is no outbox
 */
export function registerOutboxRoutes(app: HttpApp, { outbox, font, publicUrl, key }: OutboxOptions): boolean {
  if (!isLoopbackName(new URL(publicUrl).hostname)) return false
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self' data:; frame-src 'self'; frame-ancestors 'self'",
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
  }

  app.register(async (routes) => {
    routes.addHook('onRequest', async (request) => {
      if (!isLocalRequest(request)) throw new HttpError(403, 'The outbox opens on the machine of the store only')
    })

    routes.addHook('preHandler', async (request, reply) => {
      if (isSameKey(WithKey.safeParse(request.query).data?.key, key)) return storeKeyInCookie(reply)
      if (isSameKey(keyFromCookie(request), key)) return
      if (request.headers.accept?.includes('text/html')) return reply.code(403).headers(headers).send(lockedPage())
      throw new HttpError(403, 'The outbox is locked: open the address that the store printed when it started')
    })

    /** Redirects to remove the key from the URL, so that it is not in the browser history or in a copied URL. */
    const storeKeyInCookie = (reply: FastifyReply) =>
      reply
        .header('set-cookie', `${cookieName}=${key}; Path=/outbox; HttpOnly; SameSite=Strict`)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect('/outbox', 303)

    routes.get('/outbox', { schema: { hide: true } }, async (_request, reply) => {
      const mails = await Promise.all((await files(outbox)).slice(0, 200).map(async (file) => ({ file, ...(await read(outbox, file)) })))
      return reply.headers(headers).send(listPage(mails))
    })

    routes.get('/outbox/geist.woff2', { schema: { hide: true } }, async (_request, reply) =>
      reply.headers({ 'content-type': 'font/woff2', 'cache-control': 'private, max-age=86400' }).send(await readFile(font)),
    )

    routes.get<{ Params: { file: string } }>('/outbox/:file', { schema: { hide: true } }, async ({ params: { file } }, reply) => {
      const mail = await find(outbox, file)
      return reply.headers(headers).send(emailPage(file, mail))
    })

    // The HTML part of the email as a mail client would show it, for a sandboxed frame without scripts.
    routes.get<{ Params: { file: string } }>('/outbox/:file/html', { schema: { hide: true } }, async ({ params: { file } }, reply) => {
      const { html = '' } = await find(outbox, file)
      return reply
        .headers({
          ...headers,
          'content-security-policy':
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox",
        })
        .send(html.replace('<head>', '<head><base target="_top">'))
    })

    routes.get<{ Params: { file: string; nth: number } }>(
      '/outbox/:file/attachments/:nth',
      { schema: { hide: true, params: z.object({ file: z.string(), nth: z.coerce.number().int() }) } },
      async ({ params: { file, nth } }, reply) => {
        const attachment = (await find(outbox, file)).attachments[nth]
        if (!attachment) throw new HttpError(404, 'The mail has no such file')
        return reply
          .headers({ ...headers, 'content-type': 'application/octet-stream' })
          .header('content-disposition', `attachment; filename="${attachment.name}"`)
          .send(attachment.content)
      },
    )
  })
  return true
}

const keyFromCookie = ({ headers: { cookie = '' } }: FastifyRequest) =>
  cookie
    .split(/; */)
    .find((each) => each.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)

function isSameKey(given: string | undefined, key: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(key)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function files(outbox: string): Promise<string[]> {
  const names = await readdir(outbox).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] // no email has been written yet
    throw error
  })
  return names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse() // newest first: file names begin with a timestamp
}

async function find(outbox: string, file: string) {
  if (!fileName.test(file)) throw new HttpError(404, 'There is no such mail')
  return read(outbox, file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new HttpError(404, 'There is no such mail') : error
  })
}

async function read(outbox: string, file: string) {
  const {
    subject = '',
    from,
    to,
    date = '',
    text = '',
    html,
    attachments,
  } = await PostalMime.parse(await readFile(path.join(outbox, file)))
  return {
    ...{ subject, from: from?.address ?? '', to: to?.map(({ address }) => address).join(', ') ?? '', date, text, html },
    attachments: attachments.map(({ filename, content }) => ({
      name: filename?.replaceAll(/[^\w.-]/g, '') || 'file',
      content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
    })),
  }
}

function isLocalRequest({ socket, headers, host }: FastifyRequest): boolean {
  const isProxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined)
  const { remoteAddress = '' } = socket
  const isLoopback = remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress)
  return isLoopback && !isProxied && isLoopbackName(host.replace(/:\d+$/, ''))
}

const isLoopbackName = (name: string) => ['localhost', '127.0.0.1', '[::1]'].includes(name)
