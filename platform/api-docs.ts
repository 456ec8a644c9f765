import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { ErrorCode } from '#shared/endpoint.ts'
import { errorCodeDescriptions } from '#shared/error-codes.ts'
import { escapeHtml } from './escape-html.ts'
import type { HttpApp } from './http.ts'
import { sendSerializedJson } from './serialized-json.ts'

z.globalRegistry.add(ErrorCode, {
  id: 'ErrorCode',
  description: Object.entries(errorCodeDescriptions)
    .map(([code, description]) => `- \`${code}\`: ${description}`)
    .join('\n'),
})

type Operation = {
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
  $ref?: string
  anyOf?: Schema[]
  format?: string
  description?: string
  allOf?: Schema[]
}

/**
 * Documents every route registered after this call, as an OpenAPI 3.1 document at `/api/openapi.json` and as a page at `/api/docs`.
 */
export function registerApiDocs(app: HttpApp, { title, version, publicUrl }: { title: string; version: string; publicUrl: string }) {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'the access token' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => removeUnusedSchemas(jsonSchemaTransformObject(document) as Document),
  })
  app.register(async (api) => {
    // Cached: building either takes milliseconds of event loop time, and the routes are public and not rate limited.
    let document: string | undefined
    let page: string | undefined
    api.get('/api/openapi.json', { schema: { hide: true } }, (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return sendSerializedJson(reply, document)
    })
    api.get('/api/docs', { schema: { hide: true } }, (_request, reply) => {
      page ??= renderDocsPage(title, app.swagger() as Document)
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .send(page)
    })
  })
}

type Document = { paths?: Record<string, Record<string, Operation>>; components?: { schemas?: Record<string, Schema> } }

/** Every named schema is generated twice, once for requests and once for responses. Keeps only those that an operation references. */
function removeUnusedSchemas(document: Document) {
  const paths = JSON.stringify(document.paths)
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(([name]) => paths.includes(`"#/components/schemas/${name}"`))
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
}

/** Renders the document as an HTML page without script, operations grouped by tag. */
function renderDocsPage(title: string, { paths = {}, components: { schemas = {} } = {} }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  )
  const groups = Object.entries(Object.groupBy(operations, ({ call }) => call.tags?.[0] ?? 'Other'))
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The calls of ${escapeHtml(title)}</title><style>
:root{color-scheme:light dark;--ink:light-dark(#101814,#e8f0ec);--soft:light-dark(#4a5a53,#a9b8b0);--ground:light-dark(#f6f9f7,#0d1411);--panel:light-dark(#fff,#131c18);--line:light-dark(#d9e2dd,#2a3832);--green:light-dark(#0f5d46,#6fc3a4)}
body{margin:0 auto;max-width:60rem;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
code,pre,.m{font:.875rem/1.5 ui-monospace,monospace}a{color:var(--green)}h2{margin:2.5rem 0 .5rem}
article{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:1rem;margin:.75rem 0}
article h3{margin:0;font-size:1rem;overflow-wrap:anywhere}.m{color:var(--green);font-weight:700;margin-right:.5rem}p{margin:.25rem 0;color:var(--soft)}
pre{margin:.5rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}</style></head><body>
<h1>The calls of ${escapeHtml(title)}</h1><p>As an OpenAPI 3.1 document: <a href="/api/openapi.json">/api/openapi.json</a>. Every answer that is not 2xx is <code>{ message, errors?, code }</code>.</p>
${groups.map(([tag, group = []]) => `<section><h2>${escapeHtml(tag)}</h2>${group.map(renderOperation).join('')}</section>`).join('')}
<section><h2>What they speak of</h2>${Object.entries(schemas)
    .map(
      ([name, schema]) =>
        `<article><h3><code>${escapeHtml(name)}</code></h3><pre>${escapeHtml([summarizeSchema(schema), schema.description].filter(Boolean).join('\n'))}</pre></article>`,
    )
    .join('')}</section></body></html>`
}

function renderOperation({ path, method, call }: { path: string; method: string; call: Operation }): string {
  const body = call.requestBody?.content['application/json']?.schema
  const [status, response] = Object.entries(call.responses ?? {}).find(([code]) => code.startsWith('2')) ?? []
  const responseSchema = response?.content?.['application/json']?.schema
  const query = call.parameters?.filter((parameter) => parameter.in === 'query').map(({ name, required }) => (required ? name : `${name}?`))
  return `<article><h3><span class="m">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code></h3><p>${escapeHtml(call.summary ?? '')}${call.security ? ' (access token)' : ''}</p>${
    call.description ? `<p>${escapeHtml(call.description)}</p>` : ''
  }<pre>${escapeHtml([query?.length && `query  ${query.join(', ')}`, body && `body   ${summarizeSchema(body)}`, responseSchema && `${status}    ${summarizeSchema(responseSchema)}`].filter(Boolean).join('\n'))}</pre></article>`
}

/** Formats a schema in one line: `{ name: string, price: integer }`. */
function summarizeSchema({ $ref, anyOf, allOf, type, properties, items, required = [], format }: Schema): string {
  if ($ref)
    return (
      $ref
        .split('/')
        .at(-1)
        ?.replace(/Input$/, '') ?? ''
    )
  if (anyOf) return [...new Set(anyOf.map(summarizeSchema))].join(' | ')
  if (allOf?.[0]) return summarizeSchema(allOf[0])
  if (items) return `${summarizeSchema(items)}[]`
  if (properties)
    return `{ ${Object.entries(properties)
      .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${summarizeSchema(schema)}`)
      .join(', ')} }`
  return format ?? [type ?? 'any'].flat().join(' | ')
}
