import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeaderFilter {
  readonly url: string
  /** From now on, the filter removes this header from requests. Null removes no header. */
  remove(header: string | null): void
  close(): void
}

/** Starts a proxy in front of an HTTP server that can remove one header of each request. */
export async function startHeaderFilter(target: string): Promise<HeaderFilter> {
  let removed: string | null = null
  const agent = new http.Agent({ keepAlive: true })
  const server = http.createServer((request, response) => {
    const { method = 'GET', url = '/' } = request
    const headers = { ...request.headers }
    if (removed !== null) delete headers[removed]
    const passed = http.request(new URL(url, target), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.once('error', () => response.destroy())
    response.once('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe because a server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    remove: (header) => {
      removed = header
    },
    close: () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
