import { type ApiClient, createApiClient, login } from '@cairn/gateway-contracts'

/** Creates an API client that handles cookies and the CSRF token like a browser. */
export function createSiteClient(gatewayUrl: string): ApiClient {
  const cookies = new Map<string, string>()
  return createApiClient({
    baseUrl: gatewayUrl,
    readToken: () => cookies.get('XSRF-TOKEN') ?? null,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
      const response = await fetch(input, { ...init, headers })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const cut = pair.indexOf('=')
        cookies.set(pair.slice(0, cut), pair.slice(cut + 1))
      }
      return response
    },
  })
}

export async function signIn(
  gatewayUrl: string,
  person: { email: string; password: string },
): Promise<ApiClient> {
  const client = createSiteClient(gatewayUrl)
  await client.call(login, { body: { email: person.email, password: person.password } })
  return client
}
