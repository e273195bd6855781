import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { text } from 'node:stream/consumers'

export interface Http2Answer {
  readonly status: number
  readonly headers: http2.IncomingHttpHeaders
  readonly body: string
}

/** A browser that speaks HTTP/2 only, with its own connection and cookies. */
export interface Http2Browser {
  send(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Http2Answer>
  /** Opens a stream of events. */
  open(path: string): Promise<EventStream>
  close(): void
}

export interface EventStream {
  /** Returns all text that has arrived. */
  getReceived(): string
  close(): void
}

/** Connects to a site on this machine from the given loopback address. */
export async function openHttp2Browser(
  siteUrl: string,
  { ca, address }: { ca: string; address: string },
): Promise<Http2Browser> {
  const { host, hostname } = new URL(siteUrl)
  const cookies = new Map<string, string>()
  const session = await connect(siteUrl, { ca, address, servername: hostname })

  function request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): ClientHttp2Stream {
    const csrf = cookies.get('XSRF-TOKEN')
    return session.request({
      ':method': method,
      ':path': path,
      ':authority': host,
      'x-requested-with': 'XMLHttpRequest',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(csrf === undefined ? {} : { 'x-xsrf-token': csrf }),
      ...headers,
    })
  }

  return {
    close: () => session.destroy(),
    send: async (method, path, body, headers = {}) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const stream = request(method, path, { ...type, ...headers })
      const answered = waitForHeaders(stream)
      stream.end(body === undefined ? undefined : JSON.stringify(body))
      const answer = await answered
      for (const line of answer['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';')
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
      }
      return { status: answer[':status'] ?? 0, headers: answer, body: await text(stream) }
    },
    open: async (path) => {
      const stream = request('GET', path, { accept: 'text/event-stream' })
      let received = ''
      stream.on('data', (chunk: Buffer) => {
        received += chunk.toString()
      })
      stream.on('error', () => {})
      stream.end()
      return { getReceived: () => received, close: () => stream.destroy() }
    },
  }
}

function connect(
  siteUrl: string,
  { ca, address, servername }: { ca: string; address: string; servername: string },
): Promise<ClientHttp2Session> {
  const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>()
  // The certificate contains a name, and the connection uses an address, so that `localhost` is not
  // resolved to an IPv6 address.
  const options = { ca, servername, host: '127.0.0.1', localAddress: address }
  const session = http2.connect(siteUrl, options, () => resolve(session))
  session.once('error', reject)
  return promise
}

function waitForHeaders(stream: ClientHttp2Stream) {
  const { promise, resolve, reject } = Promise.withResolvers<
    http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader
  >()
  stream.once('response', resolve)
  stream.once('error', reject)
  return promise
}
