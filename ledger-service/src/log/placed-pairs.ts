import { endConnection } from '@cairn/service-kit/limit-silence'
import { connectClient, SILENCE_MS } from '../service/database/pool.ts'
import { createConnectionPairs, type OpenPair } from './connection-pairs.ts'
import { findPlacement, isCitus, type ShardPlacement } from './shards.ts'

/**
 * Like `createConnectionPairs`, also for a Citus cluster: there, connects each time to the node that
 * then has the rows of the ledger. `databaseUrl` is the URL of the server or of the coordinator, and
 * `max` applies to each node.
 */
export function createPlacedPairs({
  databaseUrl,
  max,
}: {
  databaseUrl: string
  max: number
}): OpenPair {
  const nodes = new Map<string, OpenPair>()
  let isPlain = false

  function getPairs(url: string): OpenPair {
    const openPair = nodes.get(url) ?? createConnectionPairs({ databaseUrl: url, max })
    nodes.set(url, openPair)
    return openPair
  }

  return async (ledger) => {
    const placement = isPlain ? null : await lookUpPlacement(databaseUrl, ledger)
    // A database never changes its shape, because only empty tables can be distributed.
    isPlain = placement === null
    if (placement === null) return getPairs(databaseUrl)(ledger)
    return { ...(await getPairs(placement.databaseUrl)(ledger)), shards: placement.shards }
  }
}

/** Asks the coordinator for the node that has the rows of a ledger. Returns null outside of Citus. */
async function lookUpPlacement(
  databaseUrl: string,
  ledger: number,
): Promise<ShardPlacement | null> {
  const client = await connectClient({
    url: databaseUrl,
    name: `ledger-${ledger}`,
    pipeline: false,
    silenceMs: SILENCE_MS,
  })
  try {
    return (await isCitus(client)) ? await findPlacement(client, { databaseUrl, ledger }) : null
  } finally {
    await endConnection(client)
  }
}
