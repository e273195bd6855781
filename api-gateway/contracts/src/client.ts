import type { z } from 'zod'
import type { Endpoint, ResponseOf } from './endpoint.ts'
import { ApiError, Failure } from './envelope.ts'

const TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 60_000
export const NO_ANSWER = 'No response received from the server.'

export type CallRequest<E extends Endpoint> = z.input<E['request']> & {
  /** The file to upload, if the endpoint accepts a file. */
  file?: File | undefined
  idempotencyKey?: string | undefined
}

/** The request argument is optional if the endpoint requires no fields. */
type CallArguments<E extends Endpoint> =
  Record<string, never> extends z.input<E['request']>
    ? [request?: CallRequest<E>, signal?: AbortSignal]
    : [request: CallRequest<E>, signal?: AbortSignal]

export interface ApiClient {
  call<E extends Endpoint>(endpoint: E, ...rest: CallArguments<E>): Promise<ResponseOf<E>>
}

interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  file?: File | undefined
  idempotencyKey?: string | undefined
}

export function createApiClient(options: {
  baseUrl: string
  fetch: typeof globalThis.fetch
  /**
   * Returns the value of the XSRF-TOKEN cookie, or null if the cookie is missing. The default
   * implementation reads `document.cookie`.
   */
  readToken?: () => string | null
}): ApiClient {
  const { baseUrl, fetch, readToken = readDocumentToken } = options

  async function send(endpoint: Endpoint, parts: Parts, signal: AbortSignal | undefined) {
    const timeout = AbortSignal.timeout(parts.file ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS)
    const { body, headers } = toBody(endpoint, parts)
    headers.set('accept', 'application/json')
    headers.set('x-requested-with', 'XMLHttpRequest')
    const token = readToken()
    if (token !== null) headers.set('x-xsrf-token', token)
    if (parts.idempotencyKey !== undefined) headers.set('idempotency-key', parts.idempotencyKey)
    try {
      return await fetch(`${baseUrl}${toPath(endpoint, parts)}`, {
        method: endpoint.method,
        credentials: 'same-origin',
        headers,
        body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
    } catch (cause) {
      // If the caller aborts the request, the promise is rejected with the reason that the caller
      // passed to `abort`.
      if (signal?.aborted) throw cause
      throw new ApiError({ status: 0, code: 'NO_ANSWER', message: NO_ANSWER, cause })
    }
  }

  return {
    call: async (endpoint, ...[request, signal]) => {
      const response = await send(endpoint, (request ?? {}) as Parts, signal)
      if (response.ok && response.status === 204) return null as ResponseOf<typeof endpoint>
      const body: unknown = await response.json().catch(() => null)
      if (!response.ok) throw toApiError(response.status, body)
      const data = (body as { data?: unknown } | null)?.data ?? null
      return endpoint.response.parse(data) as ResponseOf<typeof endpoint>
    },
  }
}

/**
 * Returns the anti-forgery token from text in the format of `document.cookie`; null if the text
 * contains no token.
 */
export function readXsrfToken(cookies: string): string | null {
  const match = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)
  return match?.[1] === undefined ? null : decodeURIComponent(match[1])
}

function readDocumentToken(): string | null {
  return typeof document === 'undefined' ? null : readXsrfToken(document.cookie)
}

export function toPath(endpoint: Endpoint, parts: Pick<Parts, 'params' | 'query'>): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(parts.params?.[name])),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return `/api/v1${path}${query.size === 0 ? '' : `?${query}`}`
}

function toBody(endpoint: Endpoint, parts: Parts): { body: BodyInit | null; headers: Headers } {
  const headers = new Headers()
  if (endpoint.upload !== null && parts.file !== undefined) {
    const form = new FormData()
    for (const [name, value] of Object.entries(parts.body ?? {})) {
      if (value !== undefined && value !== null) form.set(name, String(value))
    }
    form.set(endpoint.upload.field, parts.file)
    return { body: form, headers }
  }
  if (parts.body === undefined) return { body: null, headers }
  headers.set('content-type', 'application/json')
  return { body: JSON.stringify(parts.body), headers }
}

function toApiError(status: number, body: unknown): ApiError {
  const failure = Failure.safeParse(body)
  if (failure.success) return new ApiError({ ...failure.data, status })
  return new ApiError({ status, code: 'UNREADABLE_ANSWER', message: NO_ANSWER })
}
