import * as z from 'zod'
import type { Store } from '#test/store.ts'

export type Schema = {
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  anyOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
}
const Schema: z.ZodType<Schema> = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(Schema).optional()
  },
  get properties() {
    return z.record(z.string(), Schema).optional()
  },
  required: z.array(z.string()).optional(),
  get items() {
    return Schema.optional()
  },
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
})
const Content = z.object({ 'application/json': z.object({ schema: Schema }) })
const Operation = z.object({
  parameters: z
    .array(z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), required: z.boolean(), schema: Schema }))
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content })),
})
const Method = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string().toUpperCase().pipe(Method), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** One call as the store's own OpenAPI document describes it. */
export type Described = {
  method: z.infer<typeof Method>
  /** below /api, with `{name}` where a parameter stands */
  path: string
  parameters: z.infer<typeof Operation>['parameters']
  body: Schema | undefined
  /** the answers' schemas by status and `default` */
  answers: Record<string, Schema>
}

/** What the document says: every call, and the schemas that they speak of. */
export async function readDocument(store: Store): Promise<{ calls: Described[]; components: { schemas: Record<string, Schema> } }> {
  const { paths, components } = Document.parse((await store.visitor.ask('GET', '/openapi.json')).json())
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      method: Method.parse(method),
      path: path.slice('/api'.length),
      parameters,
      body: requestBody?.content['application/json'].schema,
      answers: Object.fromEntries(Object.entries(responses).map(([status, { content }]) => [status, content['application/json'].schema])),
    })),
  )
  return { calls, components }
}

/** The address of a call, with these values for its parameters in path and question. */
export function addressOf({ path, parameters }: Described, values: Record<string, string>): string {
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const asked = parameters.flatMap(({ in: where, name }) => (where === 'query' && values[name] !== undefined ? [[name, values[name]]] : []))
  return asked.length > 0 ? `${filled}?${new URLSearchParams(asked)}` : filled
}
