import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy that can be cut like a network. While the proxy is cut, it forwards no byte and no
 * end of a connection, and new connections wait. After the cut, it forwards the delayed bytes.
 */
export interface Link {
  readonly port: number
  cut(): void
  heal(): void
  close(): void
}

interface Pair {
  readonly near: Socket
  far: Socket | null
}

export async function openLink(ports: { port: number; target: number }): Promise<Link> {
  const { port, target } = ports
  const pairs = new Set<Pair>()
  let isCut = false

  const server = createServer({ pauseOnConnect: true }, (near) => {
    const pair: Pair = { near, far: null }
    pairs.add(pair)
    watchEnd(pair, near)
    if (!isCut) openFar(pair)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  function openFar(pair: Pair): void {
    const { near } = pair
    const far = connect(target, '127.0.0.1')
    pair.far = far
    watchEnd(pair, far)
    forward(near, far)
    forward(far, near)
    near.resume()
  }

  function forward(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (!to.write(chunk)) from.pause()
    })
    to.on('drain', () => {
      if (!isCut) from.resume()
    })
  }

  /** Closes both sides after one side has closed. While the link is cut, neither side is closed. */
  function watchEnd(pair: Pair, socket: Socket): void {
    socket.on('error', () => {})
    socket.once('close', () => {
      if (!isCut) endPair(pair)
    })
  }

  function endPair(pair: Pair): void {
    // The bytes that were received before the end are still delivered.
    pair.near.destroySoon()
    pair.far?.destroySoon()
    pairs.delete(pair)
  }

  return {
    port,
    cut: () => {
      isCut = true
      for (const { near, far } of pairs) {
        near.pause()
        far?.pause()
      }
    },
    heal: () => {
      isCut = false
      for (const pair of pairs) {
        if (pair.near.destroyed || pair.far?.destroyed === true) {
          endPair(pair)
        } else if (pair.far === null) {
          openFar(pair)
        } else {
          pair.near.resume()
          pair.far.resume()
        }
      }
    },
    close: () => {
      server.close()
      for (const pair of pairs) endPair(pair)
    },
  }
}
