import { type Endpoint, Failure, success } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Route } from './registry.ts'

type Json = Record<string, unknown>

/** The registry as an OpenAPI 3.1 document. */
export function describeRoutes(
  routes: readonly Route[],
  about: { title: string; path: string },
): Json {
  const paths: Record<string, Json> = {}
  for (const { endpoint } of routes) {
    const path = about.path + endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: '1' },
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-XSRF-TOKEN' },
      },
      schemas: { Failure: toSchema(Failure, 'output') },
    },
    paths,
  }
}

function describe(endpoint: Endpoint): Json {
  const { params, query, body } = endpoint.request.shape as Record<string, z.ZodType | undefined>
  const parameters = [
    ...describeParameters(params, 'path'),
    ...describeParameters(query, 'query'),
    ...(endpoint.isIdempotent ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    'x-access': endpoint.access,
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: describeBody(endpoint, body) }),
    responses: {
      [endpoint.status]: describeAnswer(endpoint),
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function securityOf({ access, method }: Endpoint): readonly Json[] {
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
    required: required.includes(name),
    schema: content,
  }))
}

function describeBody({ upload }: Endpoint, body: z.ZodType): Json {
  const schema = toSchema(body, 'input')
  if (upload === null) return { content: { 'application/json': { schema } } }
  const file = {
    type: 'object',
    properties: { [upload.field]: { type: 'string', format: 'binary' } },
  }
  return { content: { 'multipart/form-data': { schema: { allOf: [schema, file] } } } }
}

function describeAnswer({ answers, status, response }: Endpoint): Json {
  if (status === 204) return { description: 'Done' }
  if (answers === 'file') {
    const picture = { schema: { type: 'string', format: 'binary' } }
    return { description: 'The file', content: { 'image/png': picture, 'image/jpeg': picture } }
  }
  if (answers === 'stream') {
    const content = { 'text/event-stream': { schema: { type: 'string' } } }
    return { description: 'Server-sent events', content }
  }
  const schema = toSchema(success(response), 'output')
  return { description: 'Success', content: { 'application/json': { schema } } }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
