import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * What the network does: carries everything, carries it late, swallows everything, swallows what
 * comes back (half open: what was asked arrives, the answer does not), or resets connections.
 */
export type Weather = 'calm' | 'late' | 'swallowing' | 'half-open' | 'resetting'

export interface ChaosProxy {
  readonly port: number
  /** What was held back is never delivered: connections that lost bytes end with the bad weather. */
  set(weather: Weather): void
  close(): void
}

const LATE_MS = 150

interface Link {
  readonly near: Socket
  readonly far: Socket
  hasLost: boolean
}

/** A TCP proxy on a port of its own before `target`, with weather. */
export async function startChaosProxy(target: { port: number }): Promise<ChaosProxy> {
  const links = new Set<Link>()
  let weather: Weather = 'calm'

  const server = createServer((near) => {
    if (weather === 'resetting') return void near.resetAndDestroy()
    const link: Link = { near, far: connect(target.port, '127.0.0.1'), hasLost: false }
    links.add(link)
    carry(link, near, link.far, () => weather === 'swallowing')
    carry(link, link.far, near, () => weather === 'swallowing' || weather === 'half-open')
  })

  function carry(link: Link, from: Socket, to: Socket, isSwallowed: () => boolean): void {
    let last: Promise<void> = Promise.resolve()
    from.on('data', (bytes) => {
      if (isSwallowed()) {
        link.hasLost = true
        return
      }
      if (weather !== 'late') {
        // In its turn behind what is late.
        last = last.then(() => void (to.destroyed || to.write(bytes)))
        return
      }
      const due = delay(LATE_MS)
      last = last.then(() => due).then(() => void (to.destroyed || to.write(bytes)))
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      links.delete(link)
      to.destroy()
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      weather = next
      for (const link of [...links]) {
        if (next === 'resetting' || link.hasLost) link.near.resetAndDestroy()
      }
    },
    close: () => {
      server.close()
      for (const { near, far } of [...links]) for (const socket of [near, far]) socket.destroy()
    },
  }
}
