import { describe, expect, test } from 'vitest'
import { createApiClient, readXsrfToken } from './client.ts'
import { ApiError } from './envelope.ts'
import { createMyTransaction } from './transaction-requests.ts'
import { listTransactions } from './transactions.ts'
import { getMe } from './users.ts'

function createClientWithAnswer(answer: () => Response | Promise<Response>) {
  const sent: { url: string; init: RequestInit }[] = []
  const client = createApiClient({
    baseUrl: '',
    readToken: () => 'a.token',
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} })
      return await answer()
    },
  })
  return { client, sent }
}

describe('the typed client', () => {
  test('sends the marking header, the anti-forgery token and the idempotency key', async () => {
    const { client, sent } = createClientWithAnswer(() =>
      Response.json({ status: 'success', data: {} }),
    )
    const file = new File(['x'], 'r.png', { type: 'image/png' })
    const body = { type: 'deposit', amount: '10.00', pay_option: 'Bank Transfer' } as const
    await client
      .call(createMyTransaction, { body, file, idempotencyKey: 'k' })
      .catch(() => undefined)
    const headers = new Headers(sent[0]?.init.headers)
    expect(sent[0]?.url).toBe('/api/v1/users/me/transactions')
    expect(headers.get('x-requested-with')).toBe('XMLHttpRequest')
    expect(headers.get('x-xsrf-token')).toBe('a.token')
    expect(headers.get('idempotency-key')).toBe('k')
    expect(sent[0]?.init.body).toBeInstanceOf(FormData)
  })

  test('omits empty filters from the URL', async () => {
    const { client, sent } = createClientWithAnswer(() =>
      Response.json({ status: 'success', data: {} }),
    )
    const query = { q: '', status: 'pending', page: 2 } as const
    await client.call(listTransactions, { query }).catch(() => undefined)
    expect(sent[0]?.url).toBe('/api/v1/transactions?status=pending&page=2')
  })

  test('throws the failure that the server returned', async () => {
    const failure = {
      status: 'fail',
      code: 'INVALID',
      message: 'no',
      errors: [{ name: 'Name is required' }],
      retryAfter: 3,
    }
    const { client } = createClientWithAnswer(() => Response.json(failure, { status: 400 }))
    const error = await client.call(getMe).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID',
      errors: { name: 'Name is required' },
      retryAfterSeconds: 3,
    })
  })

  test('throws one message if the server does not answer', async () => {
    const { client } = createClientWithAnswer(() => Promise.reject(new TypeError('fetch failed')))
    await expect(client.call(getMe)).rejects.toMatchObject({
      status: 0,
      code: 'NO_ANSWER',
      message: 'No response received from the server.',
    })
  })
})

test('the token is read even if there are other cookies', () => {
  expect(readXsrfToken('a=1; XSRF-TOKEN=b.c; d=2')).toBe('b.c')
  expect(readXsrfToken('a=1; NOT-XSRF-TOKEN=b')).toBeNull()
})
