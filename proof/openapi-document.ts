import * as z from 'zod'
import type { Store } from '#test/store.ts'

export type JsonSchema = {
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  anyOf?: JsonSchema[] | undefined
  properties?: Record<string, JsonSchema> | undefined
  required?: string[] | undefined
  items?: JsonSchema | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}
const JsonSchema: z.ZodType<JsonSchema> = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(JsonSchema).optional()
  },
  get properties() {
    return z.record(z.string(), JsonSchema).optional()
  },
  required: z.array(z.string()).optional(),
  get items() {
    return JsonSchema.optional()
  },
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})
const Content = z.object({ 'application/json': z.object({ schema: JsonSchema }) })
const Operation = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), required: z.boolean(), schema: JsonSchema }))
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
})
const Method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string().toUpperCase().pipe(Method), Operation)),
  components: z.object({ schemas: z.record(z.string(), JsonSchema) }),
})

/** One call as the store's own OpenAPI document describes it. */
export type OpenApiOperation = {
  method: z.infer<typeof Method>
  /** below /api, with `{name}` where a parameter stands */
  path: string
  parameters: z.infer<typeof Operation>['parameters']
  body: JsonSchema | undefined
  /** the answers' schemas by status and `default` */
  responses: Record<string, JsonSchema>
}

/** What the document says: every call, and the schemas that they speak of. */
export async function readOpenApiDocument(
  store: Store,
): Promise<{ calls: OpenApiOperation[]; components: { schemas: Record<string, JsonSchema> } }> {
  const { paths, components } = Document.parse((await store.visitor.request('GET', '/openapi.json')).json())
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      method: Method.parse(method),
      path: path.slice('/api'.length),
      parameters,
      body: requestBody?.content['application/json'].schema,
      responses: Object.fromEntries(Object.entries(responses).map(([status, { content }]) => [status, content['application/json'].schema])),
    })),
  )
  return { calls, components }
}

/** The address of a call, with these values for its parameters in path and question. */
export function operationUrl({ path, parameters }: OpenApiOperation, values: Record<string, string>): string {
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const asked = parameters.flatMap(({ in: where, name }) => (where === 'query' && values[name] !== undefined ? [[name, values[name]]] : []))
  return asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled
}
