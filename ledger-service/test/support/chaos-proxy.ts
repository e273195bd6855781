import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * The faults: none, delayed bytes, all bytes dropped, answers dropped, connections reset, one
 * connection in ten reset, bytes changed.
 */
export type NetworkFault =
  | 'calm'
  | 'late'
  | 'swallowing'
  | 'half-open'
  | 'resetting'
  | 'lossy'
  | 'corrupting'

export interface ChaosProxy {
  readonly port: number
  /** Returns the number of lost connections and changed bytes. */
  countFaults(): number
  /**
   * Sets the fault. When a fault ends, the proxy closes each connection that lost bytes during the
   * fault.
   */
  set(fault: NetworkFault): void
  /**
   * Drops all bytes of the open connections from now on and closes none of them, as if the other
   * machine had lost its power. New connections are forwarded.
   */
  abandonConnections(): void
  close(): void
}

/** The default delay of the fault `late`. */
const LATE_MS = 150
const LOST_OF_CHUNKS = 0.1
const CORRUPTED_OF_CHUNKS = 0.3

interface Link {
  readonly near: Socket
  readonly far: Socket
  hasLost: boolean
  isAbandoned: boolean
}

/**
 * Starts a TCP proxy in front of `target` that causes network faults. `lateMs` is the delay of the
 * fault `late` in each direction.
 */
export async function startChaosProxy(
  target: { port: number },
  { lateMs = LATE_MS }: { lateMs?: number } = {},
): Promise<ChaosProxy> {
  const links = new Set<Link>()
  let fault: NetworkFault = 'calm'
  let damaged = 0
  let isClosed = false

  // A machine without power does not answer the end of a connection either.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (fault === 'resetting') return void near.resetAndDestroy()
    const far = connect(target.port, '127.0.0.1')
    const link: Link = { near, far, hasLost: false, isAbandoned: false }
    links.add(link)
    forwardBytes(link, near, link.far, () => fault === 'swallowing')
    forwardBytes(link, link.far, near, () => fault === 'swallowing' || fault === 'half-open')
  })

  function forwardBytes(link: Link, from: Socket, to: Socket, isSwallowed: () => boolean): void {
    let last: Promise<void> = Promise.resolve()
    from.on('data', (arrived: Buffer) => {
      if (link.isAbandoned) return
      if (fault === 'lossy' && Math.random() < LOST_OF_CHUNKS) {
        damaged += 1
        link.near.resetAndDestroy()
        link.far.destroy()
        return
      }
      const isCorrupted = fault === 'corrupting' && Math.random() < CORRUPTED_OF_CHUNKS
      if (isCorrupted) damaged += 1
      const bytes = isCorrupted ? changeByte(arrived) : arrived
      if (isSwallowed()) {
        link.hasLost = true
        return
      }
      if (fault !== 'late') {
        // These bytes must not be sent before bytes that arrived earlier and are still delayed.
        last = last.then(() => void (to.destroyed || to.write(bytes)))
        return
      }
      const due = delay(lateMs)
      last = last.then(() => due).then(() => void (to.destroyed || to.write(bytes)))
    })
    from.on('end', () => {
      if (!link.isAbandoned) to.end()
    })
    from.on('error', () => {
      if (!link.isAbandoned) to.destroy()
    })
    from.on('close', () => {
      if (link.isAbandoned && !isClosed) return
      links.delete(link)
      to.destroy()
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    countFaults: () => damaged,
    set: (next) => {
      fault = next
      for (const link of [...links]) {
        if (link.isAbandoned) continue
        if (next === 'resetting' || link.hasLost) link.near.resetAndDestroy()
      }
    },
    abandonConnections: () => {
      for (const link of links) link.isAbandoned = true
    },
    close: () => {
      isClosed = true
      server.close()
      for (const { near, far } of [...links]) for (const socket of [near, far]) socket.destroy()
    },
  }
}

/**
 * Changes one byte. The function often selects a digit, because a changed digit of an amount causes
 * the most harm.
 */
function changeByte(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  const amount = /"amountMinor":"\d*?(?=\d")/.exec(bytes.toString('latin1'))
  const isAimed = amount !== null && Math.random() < 0.5
  const place = isAimed ? amount.index + amount[0].length : Math.floor(Math.random() * bytes.length)
  // The new byte is a digit, but not the original digit.
  changed[place] = (bytes[place] ?? 0) ^ 1
  return changed
}
