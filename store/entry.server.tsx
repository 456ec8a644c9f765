import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import type { ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { type EntryContext, isRouteErrorResponse, ServerRouter } from 'react-router'
import { createInlineScriptNonce, finishHtml } from '#web/finish-html.ts'
import { NonceContext } from '#web/nonce-context.ts'

/**
 * Renders the complete page before responding: pages are cached as bytes, so streaming has no benefit. `renderToString` takes a third less
 * time than a stream, but does not wait: a page with a part that is not loaded yet, such as a lazy component, is rendered anew as a stream.
 */
export default async function renderPage(request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> {
  const nonce = createInlineScriptNonce()
  const { serverHandoffStream, ...withoutLoaderData } = context
  const pageOf = (entry: EntryContext) => (
    <NonceContext value={nonce}>
      <ServerRouter context={entry} url={request.url} nonce={nonce} />
    </NonceContext>
  )
  const html = renderToString(pageOf(withoutLoaderData as EntryContext))
  const page: RenderedHtml =
    html.includes(unfinishedBoundary) || !serverHandoffStream
      ? await renderWhenReady(pageOf(context), nonce)
      : { html, failed: false, lastScript: passLoaderData(await text(serverHandoffStream as ReadableStream)) }
  const finished = finishHtml(page.html, nonce, page.lastScript)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('x-inline-scripts', finished.sources.join(' '))
  return new Response(finished.page, { headers, status: page.failed ? 500 : status })
}

/** How React marks a `Suspense` whose content waits, or has failed, in the HTML of `renderToString`. */
const unfinishedBoundary = '<!--$!-->'

/** The script that has the loader data, as `ServerRouter` streams it, which `renderToString` cannot wait for. */
function passLoaderData(loaderData: string): string {
  const controller = 'window.__reactRouterContext.streamController'
  const literal = JSON.stringify(loaderData).replace(/[<>&\u2028\u2029]/g, (character) => scriptEscapes[character] ?? character)
  return `${controller}.enqueue(${literal});${controller}.close();`
}

/** What could end the script or, in older browsers, the literal. */
const scriptEscapes: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** `failed`: a part of the page that is not its shell could not be rendered. */
type RenderedHtml = { html: string; failed: boolean; lastScript?: string }

function renderWhenReady(page: ReactNode, nonce: string): Promise<RenderedHtml> {
  let failed = false
  return new Promise((resolve, reject) => {
    const stream = renderToPipeableStream(page, {
      nonce,
      progressiveChunkSize: Number.POSITIVE_INFINITY, // never outlines a large Suspense boundary as a separate chunk
      onAllReady() {
        text(stream.pipe(new PassThrough())).then((html) => resolve({ html, failed }), reject)
      },
      onShellError: reject,
      onError(error) {
        failed = true
        console.error(error)
      },
    })
  })
}

/** Logs errors, except the route error responses that loaders throw on purpose, e.g. for not found. */
export function handleError(error: unknown) {
  if (!isRouteErrorResponse(error)) console.error(error)
}
