import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './is-running.ts'

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

/** Contains a file for each returned port, with the id of the process that it was returned to. */
const CLAIMS_FOLDER = join(tmpdir(), 'cairn-ports')

/** Ports that were returned or reserved, even if no process uses them yet. */
const promised = new Set<number>()
let tried = 0

/**
 * Returns a free loopback port that this process has not returned before, and that no other running
 * process has received. So a program that restarts on its port finds it free. The search of each
 * process begins at another port.
 */
export async function findFreePort(): Promise<number> {
  const begin = process.pid * PORTS_PER_PROCESS
  while (tried < PORT_COUNT) {
    const port = FIRST_PORT + ((begin + tried) % PORT_COUNT)
    tried += 1
    if (promised.has(port) || !(await isPortFree(port, '127.0.0.1'))) continue
    if (!claimPort(port)) continue
    promised.add(port)
    return port
  }
  throw new Error(`no port is free from ${FIRST_PORT} to ${FIRST_PORT + PORT_COUNT - 1}`)
}

/** Returns false if a running process has claimed the port. */
function claimPort(port: number): boolean {
  const file = join(CLAIMS_FOLDER, String(port))
  const own = String(process.pid)
  try {
    mkdirSync(CLAIMS_FOLDER, { recursive: true })
    try {
      writeFileSync(file, own, { flag: 'wx' })
    } catch {
      const owner = Number(readFileSync(file, 'utf8'))
      if (owner !== process.pid && isRunning(owner)) return false
      writeFileSync(file, own)
    }
    return readFileSync(file, 'utf8') === own
  } catch {
    // The folder belongs to another user. The port is free, and only restarts are not protected.
    return true
  }
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
