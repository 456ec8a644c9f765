import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { ErrorCode } from '#shared/endpoint.ts'
import { errorCodeDescriptions } from '#shared/error-codes.ts'
import { registerApiDocsPage } from './api-docs-page.ts'
import type { HttpApp } from './http.ts'
import { sendSerializedJson } from './serialized-json.ts'

z.globalRegistry.add(ErrorCode, {
  id: 'ErrorCode',
  description: Object.entries(errorCodeDescriptions)
    .map(([code, description]) => `- \`${code}\`: ${description}`)
    .join('\n'),
})

type ApiDocsInfo = { title: string; version: string; description: string; publicUrl: string }

/**
 * Documents every route registered after this call, as an OpenAPI 3.1 document at `/api/openapi.json` and as a page at `/api/docs`, where calls
 * can be tried.
 */
export function registerApiDocs(app: HttpApp, { title, version, description, publicUrl }: ApiDocsInfo) {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description },
      servers: [{ url: publicUrl }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'the access token' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => removeUnusedSchemas(jsonSchemaTransformObject(document) as Document),
  })
  app.register(async (api) => {
    let document: string | undefined // kept: building it takes milliseconds of event loop time, and the route is public and not rate limited
    api.get(documentPath, { schema: { hide: true } }, (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return sendSerializedJson(reply, document)
    })
    registerApiDocsPage(api, { title: `The calls of ${title}`, documentPath })
  })
}

const documentPath = '/api/openapi.json'

type Document = { paths?: Record<string, object>; components?: { schemas?: Record<string, object> } }

/**
 * Every named schema is generated twice, once for requests and once for responses. Keeps only those that an operation references, itself or
 * by another schema.
 */
function removeUnusedSchemas(document: Document) {
  const all = Object.entries(document.components?.schemas ?? {})
  const used = new Map<string, object>()
  const addReferenced = (by: unknown) => {
    const text = JSON.stringify(by)
    for (const [name, schema] of all)
      if (!used.has(name) && text.includes(`"#/components/schemas/${name}"`)) {
        used.set(name, schema)
        addReferenced(schema)
      }
  }
  addReferenced(document.paths)
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(used) } }
}
