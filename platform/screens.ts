import { answerFirst, type Http } from './http.ts'
import { answerIfKept, answerKept } from './kept-answer.ts'
import type { PageCache, Rendered } from './page-cache.ts'
import { Refusal } from './refusal.ts'
import { contentSecurityPolicy } from './security-headers.ts'

type ScreenSettings = {
  /** turns a request into a page, e.g. React Router's handler */
  render: (request: Request) => Promise<Response>
  pages: PageCache
  /** for addresses with a question, such as a search that is shared: anybody can make up any number, so they have a small place apart */
  asked: PageCache
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
export function openScreens(app: Http, { render, pages, asked, publicUrl, cards }: ScreenSettings) {
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
  answerFirst(app, (request, answer) => {
    const { method, url = '' } = request
    return method === 'GET' && answerIfKept(keptUnder(url), url, request, answer)
  })
  app.get('/*', { config: { answerMs: pageMs } }, (request, reply) => {
    if (!URL.canParse(publicUrl + request.url)) throw new Refusal(400, 'This is not an address')
    return answerKept(keptUnder(request.url), request.url, request, reply, () => show(request.url))
  })
}
