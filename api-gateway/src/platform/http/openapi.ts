import * as contracts from '@cairn/gateway-contracts'
import {
  createSuccessSchema,
  type DeclaredFailure,
  type Endpoint,
  Failure,
} from '@cairn/gateway-contracts'
import { z } from 'zod'
import { formatCookieName } from './cookies.ts'
import { listCommonFailures, listFailures } from './documented-failures.ts'
import { ABOUT } from './openapi-about.ts'
import { createExample, fillPlaceholders, type Schema } from './openapi-example.ts'
import { describeRate, getAnonymousRate } from './rate-limit.ts'
import type { Route } from './registry.ts'

type Json = Record<string, unknown>

/** Returns an OpenAPI 3.1 document that describes all routes. */
export function describeRoutes(
  routes: readonly Route[],
  about: { title: string; path: string; isSecure: boolean },
): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const { endpoint } = route
    const path = about.path + endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeRoute(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: '1', description: ABOUT },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: formatCookieName('sid', about.isSecure) },
        csrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      schemas: { Failure: toSchema(Failure, 'output') },
    },
    paths,
  }
}

const NAMES = new Map<unknown, string>(
  Object.entries(contracts).map(([name, value]) => [value, name]),
)

function describeRoute(route: Route): Json {
  const { endpoint } = route
  const { params, query, body } = endpoint.request.shape as Record<string, z.ZodType | undefined>
  const parameters = [
    ...describeParameters(params, 'path'),
    ...describeParameters(query, 'query'),
    ...(endpoint.isIdempotent ? [IDEMPOTENCY_KEY] : []),
  ]
  const operationId = NAMES.get(endpoint) ?? `${endpoint.method} ${endpoint.path}`
  return {
    operationId,
    summary: toSummary(operationId),
    tags: [getTag(endpoint)],
    'x-access': endpoint.access,
    ...(endpoint.permission === null ? {} : { 'x-permission': endpoint.permission }),
    'x-rate': describeLimit(route),
    security: describeSecurity(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: describeBody(endpoint, body) }),
    'x-common-failures': listCommonFailures(route).map(toOneLine),
    responses: { [endpoint.status]: describeAnswer(endpoint), ...describeFailures(route) },
  }
}

function describeLimit({ endpoint: { access }, options: { rate } }: Route): string {
  const limit = `${rate}, ${describeRate(rate)}`
  const other = getAnonymousRate(rate)
  if (access !== 'anyone' || other === rate) return limit
  return `${limit}; without a session ${describeRate(other)} for each address`
}

/** Converts an endpoint's name to text: `listMyTransactions` becomes "List my transactions". */
function toSummary(name: string): string {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function getTag({ path }: Endpoint): string {
  const [first = '', second = ''] = path.split('/').slice(1)
  const isArea = first === 'admin' || (first === 'users' && second === 'me')
  return (isArea && second !== '' ? `${first} ${second}` : first).replace(/\.csv$/, '')
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A new value for each operation. If the answer was lost, repeat the request with the same value.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

function describeSecurity({ access, method }: Endpoint): readonly Json[] {
  if (access === 'anyone') return []
  return [method === 'GET' ? { session: [] } : { session: [], csrf: [] }]
}

function describeParameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, content]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: content,
  }))
}

function describeBody({ upload }: Endpoint, body: z.ZodType): Json {
  const schema = toSchema(body, 'input')
  const example = createExample(schema)
  if (upload === null) {
    const content = { schema, example }
    return {
      content: {
        'application/json': content,
        'application/x-www-form-urlencoded': content,
        'multipart/form-data': content,
      },
    }
  }
  const { oneOf: forms } = schema
  if (!Array.isArray(forms)) {
    const form = addFile(schema, upload.field)
    return { content: { 'multipart/form-data': { schema: form, example: createExample(form) } } }
  }
  // Only the first variant of the form contains the file.
  const variants = forms.map((form, index) => (index === 0 ? addFile(form, upload.field) : form))
  const examples = variants.map((form, index) => [
    `form ${index + 1}`,
    { value: createExample(form) },
  ])
  return {
    content: {
      'multipart/form-data': {
        schema: { ...schema, oneOf: variants },
        examples: Object.fromEntries(examples),
      },
      // A request without a file may also be JSON.
      'application/json': { schema, example: createExample(forms.at(-1)) },
    },
  }
}

/** Adds a required file to a form, which otherwise accepts no other field than its own. */
function addFile(form: Schema, field: string): Schema {
  const { properties, required } = form as { properties?: Json; required?: readonly string[] }
  return {
    ...form,
    properties: { ...properties, [field]: { type: 'string', format: 'binary' } },
    required: [...(required ?? []), field],
  }
}

function describeAnswer({ answers, fileTypes, status, response }: Endpoint): Json {
  if (status === 204) return { description: 'Done' }
  if (answers === 'file') {
    const schema = { type: 'string', format: 'binary' }
    const content = Object.fromEntries(fileTypes.map((type) => [type, { schema }]))
    return { description: 'The file', content }
  }
  if (answers === 'stream') {
    const content = { 'text/event-stream': { schema: { type: 'string' } } }
    return { description: 'Server-sent events', content }
  }
  const schema = toSchema(createSuccessSchema(response), 'output')
  const content = { 'application/json': { schema, example: createExample(schema) } }
  return { description: 'Success', content }
}

const toOneLine = ({ status, code, message }: DeclaredFailure) =>
  `${status} ${code}: ${fillPlaceholders(message)}`

/** Describes the failures by status, each with an example. */
function describeFailures(route: Route): Json {
  const byStatus = Map.groupBy(listFailures(route), ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, failures]) => {
      const schema = { $ref: '#/components/schemas/Failure' }
      const examples = describeExamples(route.endpoint, failures)
      const description = [...new Set(failures.map(({ code }) => code))].join(', ')
      return [status, { description, content: { 'application/json': { schema, examples } } }]
    }),
  )
}

function describeExamples(endpoint: Endpoint, failures: readonly DeclaredFailure[]): Json {
  const examples: Json = {}
  for (const failure of failures) {
    const { code } = failure
    const place = Object.keys(examples).filter((name) => name.split(' ')[0] === code).length
    examples[place === 0 ? code : `${code} ${place + 1}`] = {
      value: createFailureExample(endpoint, failure),
    }
  }
  return examples
}

function createFailureExample(
  { errors }: Endpoint,
  { status, code, message }: DeclaredFailure,
): Json {
  const sentence = fillPlaceholders(message)
  const wrong = { amount: sentence }
  return {
    status: status >= 500 ? 'error' : 'fail',
    message: sentence,
    code,
    ...(code === 'INVALID' ? { errors: errors === 'map' ? wrong : [wrong] } : {}),
    ...(status === 429 || status === 503 ? { retryAfter: 1 } : {}),
    requestId: '1f0e7c5a-3a52-4c5e-9a57-2b8a6f6f3c11',
  }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
