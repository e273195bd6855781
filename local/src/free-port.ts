import { createServer } from 'node:net'

/**
 * The range of ports begins above 10,080, which `fetch` refuses to call, and ends below 32,768, where
 * the ports of outgoing connections begin.
 */
const FIRST_PORT = 10_100
const PORT_COUNT = 21_900
/**
 * Two processes with consecutive process ids begin to search for a free port this many ports apart.
 */
const PORTS_PER_PROCESS = 40

/** Ports that were returned or reserved, even if no process uses them yet. */
const promised = new Set<number>()
let tried = 0

/**
 * Returns a free loopback port that this process has not returned before. Processes that start at
 * about the same time return different ports, because the search of each process begins at another
 * port.
 */
export async function findFreePort(): Promise<number> {
  const begin = process.pid * PORTS_PER_PROCESS
  while (tried < PORT_COUNT) {
    const port = FIRST_PORT + ((begin + tried) % PORT_COUNT)
    tried += 1
    if (promised.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue
    promised.add(port)
    return port
  }
  throw new Error(`no port is free from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1}`)
}

/** Prevents `findFreePort` from returning this port. */
export function reservePort(port: number): void {
  promised.add(port)
}

export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
