import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sendCachedApiResponse } from './cached-response.ts'
import { escapeHtml } from './escape-html.ts'
import type { HttpApp } from './http.ts'
import { createPageCache, type RenderedPage } from './page-cache.ts'

/*
 * Swagger UI. Only the files of the package are used: its plugin would register a dozen routes, and load modules at each start.
 */

const packageName = '@fastify/swagger-ui'
const contentTypes = { 'swagger-ui.css': 'text/css; charset=utf-8', 'swagger-ui-bundle.js': 'text/javascript; charset=utf-8' }

/** Serves the OpenAPI document at `documentPath` as a page at `/api/docs`, without anything from elsewhere. */
export function registerApiDocsPage(app: HttpApp, { title, documentPath }: { title: string; documentPath: string }) {
  const script = `document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)
SwaggerUIBundle({ url: ${JSON.stringify(documentPath)}, dom_id: '#calls', docExpansion: 'list', defaultModelsExpandDepth: 0, validatorUrl: null })`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    // Swagger UI sets style attributes, and draws its icons from data: addresses.
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ].join('; '),
  }
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/api/docs/swagger-ui.css"></head>
<body><main id="calls"><noscript><h1>${escapeHtml(title)}</h1><p>They are shown by a script. What it reads: <a href="${documentPath}">the OpenAPI 3.1 document</a>.</p></noscript></main>
<script src="/api/docs/swagger-ui-bundle.js"></script><script>${script}</script></body></html>`

  app.get('/api/docs', { schema: { hide: true } }, (_request, reply) => reply.headers(headers).send(page))

  const files = createPageCache({ subscribe: () => () => {} }, { maxAgeMs: Number.POSITIVE_INFINITY })
  for (const [file, contentType] of Object.entries(contentTypes))
    app.get(`/api/docs/${file}`, { schema: { hide: true } }, async (request, reply) => {
      const cached = files.get(file) ?? (await files.renderOnce(file, () => readPackageFile(file, contentType)))
      await sendCachedApiResponse(cached, request, reply)
    })
}

async function readPackageFile(file: string, contentType: string): Promise<RenderedPage> {
  const body = await readFile(createRequire(import.meta.url).resolve(`${packageName}/static/${file}`))
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'public, max-age=3600' }, body, cacheTags: [] }
}
