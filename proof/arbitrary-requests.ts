import fc from 'fast-check'
import { type JsonSchema, type OpenApiOperation, operationUrl } from './openapi-document.ts'

/** A request as it goes to the door. */
export type GeneratedRequest = {
  operation: OpenApiOperation
  path: string
  headers: Record<string, string>
  body: string | undefined
  role: number
}

/**
 * What is good in a field of this name: ids that exist, e-mails that belong to somebody. `lines of POST /orders`, for one call, comes before
 * `lines`; in an address `id of tools` does before `id`, for one that begins with `/tools`.
 */
export type KnownValues = Record<string, unknown[]>

/**
 * Requests to these calls, good and broken, by one of `roles` callers: made from the schemas alone, with values that exist where a field is
 * known, with single fields put wrong, and with bodies that are no JSON or none of this call.
 */
export function arbitraryRequests(calls: OpenApiOperation[], knownOfAll: KnownValues, roles: number): fc.Arbitrary<GeneratedRequest> {
  return fc.constantFrom(...calls).chain((call) => {
    const of = call.path.split('/')[1]
    const ofCall = knownOfCall(knownOfAll, call)
    const known = { ...knownOfAll, ...ofCall }
    const goodFor = (name: string) => (known[`${name} of ${of}`] && !ofCall[name] ? `${name} of ${of}` : name)
    const places = (where: string) => call.parameters.filter((parameter) => parameter.in === where)
    const valuesIn = (where: string) =>
      fc.record(
        Object.fromEntries(
          places(where).map(({ name, schema }) => [
            name,
            mostlyValid(asText(valueFor(goodFor(name), schema, known)), asText(arbitraryInvalidValue)),
          ]),
        ),
        {
          requiredKeys: places(where).flatMap(({ name, required }) => (required && where === 'path' ? [name] : [])),
        },
      )
    return fc
      .record({
        path: valuesIn('path'),
        query: valuesIn('query'),
        headers: valuesIn('header'),
        body: call.body ? bodyFor(call.body, known) : fc.option(fc.json(), { nil: undefined, freq: 10 }),
        type: mostlyValid(
          fc.constant('application/json'),
          fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=latin1', 'x'),
        ),
        role: fc.nat(roles - 1),
      })
      .map(({ path, query, headers, body, type, role }) => ({
        operation: call,
        path: operationUrl(call, { ...path, ...query }),
        headers: { ...sanitizeHeaders(headers), ...(body !== undefined && { 'content-type': type }) },
        body,
        role,
      }))
  })
}

/** The values of one call, by the names of their fields. */
function knownOfCall(known: KnownValues, { method, path }: OpenApiOperation): KnownValues {
  const ending = ` of ${method} ${path}`
  const own = Object.entries(known).filter(([name]) => name.endsWith(ending))
  return Object.fromEntries(own.map(([name, values]) => [name.slice(0, -ending.length), values]))
}

/** Values that no schema asks for. */
const arbitraryInvalidValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, false, 0, -0, -1, 1.5, 1e308, -1e21, 2 ** 31, 2 ** 53, '', ' ', '\t\n', [], {}, [[]], {
    length: 1,
  }),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '😀'.repeat(99),
    'x'.repeat(6000),
    '%00',
    '%',
    '%zz',
    '../../etc/passwd',
    "' or 1=1 --",
  ),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    'javascript:alert(1)',
    'NaN',
    'null',
    '1e3',
    '0x10',
    '00000000-0000-0000-0000-000000000000',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
)

const mostlyValid = <T>(good: fc.Arbitrary<T>, broken: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: broken })
const asText = (value: fc.Arbitrary<unknown>) =>
  value.map((said) => (typeof said === 'string' ? said.toWellFormed() : `${JSON.stringify(said)}`))
/** What a header can hold at all. */
const sanitizeHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').trim()]))

function valueFor(name: string, schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const good = known[name]
  const made = fromSchema(schema, known)
  return good ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: made }) : made
}

/** Values that fit this schema. */
function fromSchema(schema: JsonSchema, known: KnownValues): fc.Arbitrary<unknown> {
  const { type, anyOf, items, pattern, minLength = 0, maxLength = 200, minimum, maximum } = schema
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map((each) => fromSchema(each, known)))
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => fromSchema({ ...schema, type: each }, known)))
  switch (type) {
    case 'string':
      if (pattern) return fc.stringMatching(new RegExp(pattern))
      return fc.oneof(
        ...(['grapheme', 'grapheme-ascii'] as const).map((unit) =>
          fc.string({ unit, minLength, maxLength: Math.min(maxLength, minLength + 60) }),
        ),
      )
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 0, max: 50 }),
        fc.maxSafeInteger().filter((n) => n >= (minimum ?? n) && n <= (maximum ?? n)),
      )
    case 'number':
      return fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(items ? fromSchema(items, known) : arbitraryInvalidValue, { maxLength: 5 })
    case 'object':
      return objectFrom(schema, known)
    default:
      return arbitraryInvalidValue
  }
}

function objectFrom({ properties = {}, required = [] }: JsonSchema, known: KnownValues): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(properties).map(([name, each]) => [name, valueFor(name, each, known)])
  return fc.record(Object.fromEntries(fields), { requiredKeys: required })
}

function bodyFor(schema: JsonSchema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const fields = Object.keys(schema.properties ?? {})
  const good = objectFrom(schema, known)
  const withOneWrong = fc
    .tuple(good, fc.constantFrom(...fields, 'role', 'paid', '_id', 'price'), arbitraryInvalidValue)
    .map(([body, field, value]): unknown => ({ ...body, [field]: value }))
  const withOneLess = fc.tuple(good, fc.constantFrom(...fields, '')).map(([body, field]): unknown => {
    const { [field]: _, ...rest } = body
    return rest
  })
  const written = (value: fc.Arbitrary<unknown>) => value.map((said) => JSON.stringify(said))
  const kinds: fc.WeightedArbitrary<string | undefined>[] = [
    { weight: 5, arbitrary: written(good) },
    { weight: 4, arbitrary: written(withOneWrong) },
    { weight: 1, arbitrary: written(withOneLess) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, '', '{', '{"a":', 'null', '[]', '"x"', '\u0000', '{"__proto__":{"role":"admin"}}', '{"a":1}{'),
    },
  ]
  return fc.oneof(...kinds)
}
