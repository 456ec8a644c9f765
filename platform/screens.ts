import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from './escape-html.ts'
import { answerFirst, type Http } from './http.ts'
import { answerIfKept, answerKept } from './kept-answer.ts'
import type { PageCache, Rendered } from './page-cache.ts'
import { overloaded, type Places } from './places.ts'
import { Refusal } from './refusal.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/**
 * What an address means, however it is spelled. `page`: the address under which it is rendered and kept. `isScreen`: no other route can
 * have it. `isOneOfFew`: there is a limited number of such pages, so they are always rendered.
 */
export type PageAddress = { page: string; isScreen: boolean; isOneOfFew: boolean } | { moved: string } | { refused: string }

type ScreenSettings = {
  /** turns a request into a page, e.g. React Router's handler */
  render: (request: Request) => Promise<Response>
  /** which page the address of a request (`/path?question`) means */
  pageAddress: (url: string) => PageAddress
  pages: PageCache
  /** for addresses with a question, such as a search that is shared: anybody can make up any number, so they have a small place apart */
  asked: PageCache
  /** where a page is rendered of which there is no limited number */
  placesOf: (page: string) => Places
  /** sent with every answer */
  headers: Record<string, string>
  /** the store's own address, for the request that the screens see */
  publicUrl: string
  /** the card provider's origins, or undefined to send no Content-Security-Policy (the development server) */
  cards: { script: string; frames: string; calls: string } | undefined
}

/** Longer than a call may take: a page whose calls ran out of time still says so in words. */
const pageMs = 4800

/**
 * Every address that is nothing else is a screen. Public pages come from the page cache.
 * A page says what it shows in the header `x-shows` (topics of `changes`, blank between) and its inline scripts in `x-inline-scripts`.
 */
export function openScreens(app: Http, { render, pageAddress, pages, asked, placesOf, headers, publicUrl, cards }: ScreenSettings) {
  async function show(address: string): Promise<Rendered> {
    const response = await render(new Request(publicUrl + address))
    const { 'x-shows': shows, 'x-inline-scripts': scripts, ...headers } = Object.fromEntries(response.headers)
    if (scripts && cards) headers['content-security-policy'] = contentSecurityPolicy(scripts, cards)
    return {
      status: response.status,
      headers,
      body: Buffer.from(await response.arrayBuffer()),
      shows: shows?.split(' '),
    }
  }

  const keptUnder = (address: string) => (address.includes('?') ? asked : pages)
  const shed = prepareShedding(headers)
  answerFirst(app, (request, answer) => {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return false
    // Only addresses in their one spelling are ever kept, so one that is found as it is needs no spelling.
    if (answerIfKept(keptUnder(url), url, request, answer)) return true
    const found = pageAddress(url)
    if (!('page' in found) || !found.isScreen) return false
    const cache = keptUnder(found.page)
    if (answerIfKept(cache, found.page, request, answer)) return true
    if (found.isOneOfFew || !placesOf(found.page).isFull() || cache.isRendering(found.page)) return false
    shed(request, answer)
    return true
  })
  app.get('/*', { config: { answerMs: pageMs } }, async (request, reply) => {
    const found = pageAddress(request.url)
    if ('moved' in found) return reply.redirect(found.moved, 301)
    try {
      if ('refused' in found) throw new Refusal(400, found.refused)
      const rendered = () => (found.isOneOfFew ? show(found.page) : placesOf(found.page).run(() => show(found.page)))
      await answerKept(keptUnder(found.page), found.page, request, reply, rendered)
    } catch (error) {
      if (!(error instanceof Refusal) || wantsJson(request.raw)) throw error
      return refusePage(error, reply)
    }
  })
}

/** React Router's client, and programs that say so, read no page. */
const wantsJson = ({ url = '', headers: { accept = '' } }: IncomingMessage): boolean =>
  /^[^?]*\.data(\?|$)/.test(url) || (accept.includes('json') && !accept.includes('html'))

function refusePage({ status, message, retryAfterSeconds }: Refusal, reply: FastifyReply) {
  if (retryAfterSeconds) reply.header('retry-after', retryAfterSeconds)
  return reply.code(status).headers(plainHeaders).send(plainPage(status, message))
}

const plainHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** A page that costs nothing: what the screens would say takes longer to render than what was refused. */
function plainPage(status: number, words: string): string {
  const title = status < 500 ? 'This address cannot be shown' : 'This page could not be shown'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>${title}</h1><p>${escapeHtml(words)}.</p><p>${status < 500 ? '<a href="?">The page without filters</a>' : '<a href="">Try again</a>'} <a href="/">Home</a></p></main></html>`
}

/** Refuses a page at once, before routes and hooks are asked, with bytes that are ready. */
function prepareShedding(headers: Record<string, string>) {
  const { status, message, retryAfterSeconds } = overloaded()
  const bytes = (type: Record<string, string>, body: string) => {
    const own = { ...headers, ...type, 'retry-after': `${retryAfterSeconds}`, 'content-length': `${Buffer.byteLength(body)}` }
    return { head: Object.entries(own).flat(), body: Buffer.from(body) }
  }
  const page = bytes(plainHeaders, plainPage(status, message))
  const json = bytes({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }, JSON.stringify({ message }))
  return (request: IncomingMessage, answer: ServerResponse) => {
    const { head, body } = wantsJson(request) ? json : page
    answer.writeHead(status, head).end(body)
  }
}
