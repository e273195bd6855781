import { createServer } from 'node:net'

/** Ports that were returned or reserved. They may not be in use yet. */
const promised = new Set<number>()

/** Returns a free loopback port that this process has not returned before. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = await findAnyPort()
    if (promised.has(port)) continue
    promised.add(port)
    return port
  }
}

/** Prevents `findFreePort` from returning this port. */
export function reservePort(port: number): void {
  promised.add(port)
}

function findAnyPort(): Promise<number> {
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
