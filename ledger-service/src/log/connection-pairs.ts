import { endConnection } from '@cairn/service-kit/limit-silence'
import type pg from 'pg'
import { SHOW_WARNINGS } from '../service/database/confirmed.ts'
import { connectClient, SILENCE_MS } from '../service/database/pool.ts'
import type { Shards } from './shards.ts'

/** The connections of an open ledger. One loads rows while the other one commits. */
export interface ConnectionPair {
  readonly reader: pg.Client
  readonly writer: pg.Client
  /** The shards of the ledger on the node of these connections; null outside of Citus. */
  readonly shards: Shards | null
  /**
   * Runs work on the writer connection after the work of the other ledgers of this pair, so that a
   * notice of the database belongs to the work that receives it.
   */
  runOnWriter<T>(work: () => Promise<T>): Promise<T>
  /** Closes the connections after the last ledger has released them. */
  release(): Promise<void>
}

export type OpenPair = (ledger: number) => Promise<ConnectionPair>

interface SharedPair {
  readonly connecting: Promise<Connections>
  users: number
  isBroken: boolean
  running: Promise<unknown>
}

type Connections = readonly [reader: pg.Client, writer: pg.Client]

/**
 * Permits only lookups by index. A plan with a scan, cached while the tables are empty, would be
 * slow once the tables are large.
 */
const BY_KEY_ONLY =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off;' +
  'set enable_bitmapscan = off; set jit = off'

/**
 * Returns a function that gives each ledger a pair of its own until `max` pairs are open. Further
 * ledgers share the pairs with the fewest ledgers. A pair that has lost a connection takes no more
 * ledgers. Ledgers that share pairs must use one `BatchStatement`, because the names of prepared
 * statements belong to the connection.
 */
export function createConnectionPairs({
  databaseUrl,
  max,
}: {
  databaseUrl: string
  max: number
}): OpenPair {
  const pairs = new Set<SharedPair>()

  function addPair(ledger: number): SharedPair {
    const connecting = connectBoth({ url: databaseUrl, name: `ledger-${ledger}` })
    const pair: SharedPair = {
      connecting,
      users: 0,
      isBroken: false,
      running: Promise.resolve(),
    }
    const markBroken = () => {
      pair.isBroken = true
    }
    connecting.then((clients) => {
      for (const client of clients) client.once('end', markBroken).once('error', markBroken)
    }, markBroken)
    pairs.add(pair)
    return pair
  }

  function choosePair(ledger: number): SharedPair {
    const usable = [...pairs].filter(({ isBroken }) => !isBroken)
    const [first, ...others] = usable
    if (first === undefined || usable.length < max) return addPair(ledger)
    return others.reduce((least, pair) => (pair.users < least.users ? pair : least), first)
  }

  async function releasePair(pair: SharedPair): Promise<void> {
    pair.users -= 1
    if (pair.users > 0) return
    pairs.delete(pair)
    const clients = await pair.connecting.catch(() => [])
    await Promise.all(clients.map(endConnection))
  }

  return async (ledger) => {
    const pair = choosePair(ledger)
    pair.users += 1
    const [reader, writer] = await pair.connecting.catch(async (error) => {
      await releasePair(pair)
      throw error
    })
    let released: Promise<void> | null = null
    return {
      reader,
      writer,
      shards: null,
      runOnWriter: (work) => {
        const ended = pair.running.then(work)
        pair.running = ended.catch(() => {})
        return ended
      },
      release: () => {
        released ??= releasePair(pair)
        return released
      },
    }
  }
}

async function connectBoth({ url, name }: { url: string; name: string }): Promise<Connections> {
  const connect = (pipeline: boolean) =>
    connectClient({ url, name, pipeline, silenceMs: SILENCE_MS })
  const [reading, writing] = await Promise.allSettled([connect(true), connect(false)])
  if (reading.status === 'fulfilled' && writing.status === 'fulfilled') {
    const [reader, writer] = [reading.value, writing.value]
    await Promise.all([reader.query(BY_KEY_ONLY), writer.query(`${BY_KEY_ONLY}; ${SHOW_WARNINGS}`)])
    return [reader, writer]
  }
  // If only one connection was opened, this connection is closed here. Otherwise it would stay open
  // until the process ends.
  for (const side of [reading, writing])
    if (side.status === 'fulfilled') await endConnection(side.value)
  throw reading.status === 'rejected' ? reading.reason : (writing as PromiseRejectedResult).reason
}
