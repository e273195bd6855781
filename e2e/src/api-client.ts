export interface Answer {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

// Any JSON value. A third-party client does not have the types of this repository.
// biome-ignore lint/suspicious/noExplicitAny: a third-party client does not have our types
type Body = any

/**
 * A client that knows only the documentation of the API: cookies, the CSRF header, JSON and forms.
 */
export interface ApiClient {
  get(path: string): Promise<Answer>
  send(
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object | FormData,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  cookies: Map<string, string>
}

export function createApiClient(siteUrl: string): ApiClient {
  const cookies = new Map<string, string>()

  async function call(method: string, path: string, init: RequestInit): Promise<Answer> {
    const csrf = cookies.get('XSRF-TOKEN')
    const response = await fetch(`${siteUrl}/api/v1/${path}`, {
      method,
      ...init,
      headers: {
        'X-Requested-With': 'XMLHttpRequest',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(csrf === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(csrf) }),
        ...init.headers,
      },
    })
    for (const line of response.headers.getSetCookie()) storeCookie(cookies, line)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    }
  }

  return {
    cookies,
    get: (path) => call('GET', path, {}),
    send: (method, path, body, headers = {}) => {
      if (body === undefined) return call(method, path, { headers })
      if (body instanceof FormData) return call(method, path, { body, headers })
      const json = { 'content-type': 'application/json', ...headers }
      return call(method, path, { body: JSON.stringify(body), headers: json })
    },
  }
}

function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const [name = '', ...value] = pair.split('=')
  const isGone = attributes.some((attribute) =>
    /max-age=0|expires=thu, 01 jan 1970/i.test(attribute),
  )
  if (isGone) cookies.delete(name)
  else cookies.set(name, value.join('='))
}

export async function logInAs(siteUrl: string, email: string, password: string) {
  const client = createApiClient(siteUrl)
  await client.get('public/settings')
  const answer = await client.send('POST', 'users/login', { email, password })
  if (answer.status !== 200) throw new Error(`login: ${JSON.stringify(answer.body)}`)
  return client
}
