import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '@cairn/gateway-contracts'
import { RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import { getMediaType, readBody } from './body.ts'
import { createInvalidRequestFailure } from './failure.ts'
import { type ReceivedFile, readForm } from './multipart.ts'
import { describeIssue } from './validation-message.ts'

/**
 * Parses parameters, query and body with the schema of the endpoint. Reads the file if the endpoint
 * accepts a file.
 */
export async function readContent(
  endpoint: Endpoint,
  ctx: Context,
): Promise<{ content: unknown; file: ReceivedFile | null }> {
  const { shape } = endpoint.request
  const form = 'body' in shape ? await readAnyBody(endpoint, ctx) : { body: {}, file: null }
  const raw = {
    ...('params' in shape ? { params: { ...ctx.params } } : {}),
    ...('query' in shape ? { query: { ...ctx.query } } : {}),
    ...('body' in shape ? { body: form.body } : {}),
  }
  const parsed = endpoint.request.safeParse(raw, { error: describeIssue })
  if (!parsed.success) throw createInvalidRequestFailure(parsed.error, endpoint.errors)
  return { content: parsed.data, file: form.file }
}

/** True for a form that can contain a file. */
export function isForm(request: IncomingMessage): boolean {
  return getMediaType(request) === 'multipart/form-data'
}

async function readAnyBody(
  endpoint: Endpoint,
  ctx: Context,
): Promise<{ body: unknown; file: ReceivedFile | null }> {
  if (!isForm(ctx.req)) return { body: await readBody(ctx.req), file: null }
  const fileField = endpoint.upload?.field ?? null
  const form = await readForm(ctx.req, { fileField, fileBytesMax: RECEIPT_BYTES_MAX })
  return { body: form.fields, file: form.file }
}
