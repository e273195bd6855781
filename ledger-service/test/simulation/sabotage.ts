import { account } from '@cairn/ledger-contracts'
import { balanceTable } from '../../src/domain/accounts/account.ts'
import { importedFileTable } from '../../src/domain/opening-balances/imported-file.ts'
import type { Model } from '../../src/log/model.ts'
import { readLinkedPlace } from '../../src/log/refusal-chain.ts'
import type { Store, StoreSession } from '../../src/log/store.ts'
import { type Cache, createCache } from '../../src/log/view.ts'
import type { Parts } from './instance.ts'
import { model } from './model.ts'

/** Known mistakes, each planted in one part. The simulation must detect each of them. */
export const SABOTAGE: Readonly<Record<string, Parts>> = {
  'the fence is ignored': { isFenced: false },
  'the clock is not compared': { isClockChecked: false },
  'an outdated writer takes the head': { isModelChecked: false },
  'the answer is given before the commit': {
    wrapStore: changeSessions((session) => ({
      ...session,
      append: async (move, rows) => {
        session.append(move, rows).catch(() => {})
        return 'written'
      },
    })),
  },
  'keys are not looked up': {
    wrapStore: changeSessions((session) => ({
      ...session,
      loadSettled: async () => ({ events: [], refusals: [] }),
    })),
  },
  'a new row replaces a row that exists': { areRowsInserted: false },
  'the keys of events are not compared with the keys of refusals': { areKeysCompared: false },
  'a refusal is answered although it depends on an assumption': {
    wrapAssumptions: (assumptions) => ({ ...assumptions, mayRefuse: () => true }),
  },
  'assumed rows are not loaded before the second decision': {
    createCache: changeCache((cache) => ({
      ...cache,
      listMissingNeeds: (needs) => cache.listMissingNeeds(needs, false),
    })),
  },
  'the cache keeps the rows of a batch that was not written': {
    createCache: changeCache((cache) => ({
      ...cache,
      undoChanges: () => void cache.closeChanges(),
    })),
  },
  'a row that the command does not create is assumed absent': {
    model: assumeEveryRow(model),
    createCache: changeCache((cache) => ({ ...cache, isAssumed: () => false })),
  },
  'a refusal is returned although another writer took the head': {
    wrapStore: changeSessions((session) => ({ ...session, holdsHead: async () => true })),
  },
  'an unknown outcome is taken for a failure': {
    wrapStore: changeSessions((session) => ({ ...session, findLeaf: async () => null })),
  },
  'the first event after a start does not contain the hash of the refusals': {
    wrapStore: changeSessions((session) => ({
      ...session,
      takeHead: async (nowMs) => ({ ...(await session.takeHead(nowMs)), areRefusalsSealed: true }),
    })),
  },
  'linked commands are decided one by one': { isLinking: false },
  'a dry run is recorded': { isDry: false },
  'a refused group of linked commands leaves its changes in the cache': {
    createCache: (tables, rowsPerTableMax) => {
      const cache = createCache(tables, rowsPerTableMax)
      return { ...cache, fork: () => ({ ...cache, has: () => false, apply: () => {} }) }
    },
  },
  'only the first key of linked commands is looked up': {
    wrapStore: changeSessions((session) => ({
      ...session,
      loadSettled: async (hashes) => {
        const { events, refusals } = await session.loadSettled(hashes)
        const isFirst = ({ bytes }: { bytes: Buffer }) => (readLinkedPlace(bytes)?.index ?? 0) <= 0
        return { events: events.filter(isFirst), refusals: refusals.filter(isFirst) }
      },
    })),
  },
  'a decider does not look at the balance': { model: ignoreFloor(model) },
  'a decider does not look at the balance of another asset': { model: ignoreAssets(model) },
  'a decider does not look at the imported lines of a file': { model: ignoreImports(model) },
  'rows are forgotten before they are written': {
    createCache: (tables) => evictChangedRows(createCache(tables, 0)),
  },
}

function changeSessions(change: (session: StoreSession) => StoreSession) {
  return (store: Store): Store => ({ open: async () => change(await store.open()) })
}

function changeCache(change: (cache: Cache) => Cache): typeof createCache {
  return (tables, rowsPerTableMax) => change(createCache(tables, rowsPerTableMax))
}

function assumeEveryRow(honest: Model): Model {
  return {
    ...honest,
    needs: (command, view) =>
      honest.needs(command, view).map((need) => ({ ...need, isCreated: true as const })),
  }
}

function ignoreFloor(honest: Model): Model {
  return {
    ...honest,
    decide: (command, view, context) => {
      if (command.type !== 'RequestWithdrawal') return honest.decide(command, view, context)
      const { investorId, source, amountMinor } = command.data
      const wallet = account.getAvailableCode(investorId, source)
      const find: typeof view.find = (table, key) => {
        const row = view.find(table, key)
        if (table.name !== balanceTable.name || key !== wallet) return row
        // The cast is safe, because the table is the balance table.
        return { ...row, balanceMinor: amountMinor } as unknown as typeof row
      }
      return honest.decide(command, { ...view, find }, context)
    },
  }
}

/**
 * Decides movements of assets other than the currency of the ledger as if the accounts contained
 * enough money.
 */
function ignoreAssets(honest: Model): Model {
  return {
    ...honest,
    decide: (command, view, context) => {
      if (command.type !== 'MoveAsset') return honest.decide(command, view, context)
      const { amountMinor } = command.data
      const find: typeof view.find = (table, key) => {
        const row = view.find(table, key)
        if (table.name !== balanceTable.name) return row
        // The cast is safe, because the table is the balance table.
        return { ...row, balanceMinor: amountMinor } as unknown as typeof row
      }
      return honest.decide(command, { ...view, find }, context)
    },
  }
}

/** Decides each line of a file of opening balances as if it were the first line. */
function ignoreImports(honest: Model): Model {
  return {
    ...honest,
    decide: (command, view, context) => {
      if (command.type !== 'ImportBalance') return honest.decide(command, view, context)
      const peek: typeof view.peek = (table, key) =>
        table.name === importedFileTable.name ? null : view.peek(table, key)
      return honest.decide(command, { ...view, peek }, context)
    },
  }
}

function evictChangedRows(cache: Cache): Cache {
  return { ...cache, evict: () => cache.evict(new Map()) }
}
