import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { type EntryContext, isRouteErrorResponse, ServerRouter } from 'react-router'
import { deferModuleScripts } from '#web/deferred-scripts.ts'
import { createInlineScriptNonce, extractInlineScriptHashes } from '#web/inline-script-hashes.ts'
import { NonceContext } from '#web/nonce-context.ts'

/** Renders the complete page before responding: pages are cached as bytes, so streaming has no benefit and buffering is fastest. */
export default function renderPage(request: Request, status: number, headers: Headers, context: EntryContext): Promise<Response> {
  const nonce = createInlineScriptNonce()
  return new Promise((resolve, reject) => {
    let finalStatus = status
    const page = renderToPipeableStream(
      <NonceContext value={nonce}>
        <ServerRouter context={context} url={request.url} nonce={nonce} />
      </NonceContext>,
      {
        nonce,
        progressiveChunkSize: Number.POSITIVE_INFINITY, // never outlines a large Suspense boundary as a separate chunk
        onAllReady() {
          page.pipe(
            collectBytes(reject, (bytes) => {
              // A character for each byte: as UTF-8 it would be a string of two-byte characters, and replacing in it takes fifty times as long.
              const hashed = extractInlineScriptHashes(bytes.toString('latin1'), nonce)
              headers.set('content-type', 'text/html; charset=utf-8')
              headers.set('x-inline-scripts', hashed.sources.join(' '))
              resolve(new Response(Buffer.from(deferModuleScripts(hashed.html), 'latin1'), { headers, status: finalStatus }))
            }),
          )
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

function collectBytes(onError: (error: unknown) => void, onEnd: (bytes: Buffer) => void): Writable {
  const chunks: Uint8Array[] = []
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk)
      done()
    },
    final(done) {
      try {
        onEnd(Buffer.concat(chunks))
      } catch (error) {
        onError(error) // as an error of the stream it would be React's alone
      }
      done()
    },
  })
}

/** Logs errors, except the route error responses that loaders throw on purpose, e.g. for not found. */
export function handleError(error: unknown) {
  if (!isRouteErrorResponse(error)) console.error(error)
}
