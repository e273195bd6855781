import { createServer } from 'node:net'

/** Nobody listens on them yet, and somebody is going to. */
const promised = new Set<number>()

/** A loopback port that nobody listens on right now, and that was not given to anybody here before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await anyPort()
    if (promised.has(port)) continue
    promised.add(port)
    return port
  }
}

/** `freePort` does not give it away. */
export function promisePort(port: number): void {
  promised.add(port)
}

function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('no free port'))
      })
    })
  })
}

export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
