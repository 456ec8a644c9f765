import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, isRouteErrorResponse, ServerRouter } from 'react-router'
import { markInlineScripts, nameInlineScripts } from '#web/inline-scripts.ts'
import { Nonce } from '#web/nonce.ts'
import { scriptsAfterPaint } from '#web/scripts-after-paint.ts'

/** Renders a whole page before it answers: a page that is kept as bytes has nothing to stream, and a buffered one is rendered fastest. */
export default function renderPage(request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> {
  const mark = markInlineScripts()
  return new Promise((resolve, reject) => {
    let finalStatus = status
    const page = renderToPipeableStream(
      <Nonce value={mark}>
        <ServerRouter context={context} url={request.url} nonce={mark} />
      </Nonce>,
      {
        nonce: mark,
        progressiveChunkSize: Number.POSITIVE_INFINITY, // a part is never sent apart from its place, however large
        onAllReady() {
          const whole = new PassThrough()
          text(whole).then((html) => {
            const named = nameInlineScripts(html, mark)
            headers.set('content-type', 'text/html; charset=utf-8')
            headers.set('x-inline-scripts', named.sources.join(' '))
            resolve(new Response(scriptsAfterPaint(named.html), { headers, status: finalStatus }))
          }, reject)
          page.pipe(whole)
        },
        onShellError: reject,
        onError(error) {
          finalStatus = 500
          console.error(error)
        },
      },
    )
  })
}

/** What a loader throws on purpose (not found) is an answer; anything else belongs in the log. */
export function handleError(error: unknown) {
  if (!isRouteErrorResponse(error)) console.error(error)
}
