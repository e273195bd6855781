import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { createKeyRing } from '../../api-gateway/src/platform/keys/key-ring.ts'
import { addPeople, type People } from './load.ts'
import { createServices, SESSION_SECRET, type Services } from './service-processes.ts'

/** Two instances of each part on one database, with the people of the load. */
export interface PairedServices {
  readonly database: TestDatabase
  readonly services: Services
  readonly ledger: LedgerClient
  readonly people: People
  /** Returns the balance that the payments of the load increase. */
  readBalance(): Promise<bigint>
  /** Verifies the ledger with the program of a version. Throws if it finds a difference. */
  verify(root: string): Promise<string>
  remove(): Promise<void>
}

/** Starts the programs of this checkout, or of the checkout in the folder `root`. */
export async function startPairedServices(root?: string): Promise<PairedServices> {
  const database = await createTestDatabase()
  const services = await createServices(database, { instances: 2 })
  for (const one of services.ledgers) await one.start(root)
  const others = [...services.gateways, ...services.workers]
  await Promise.all(others.map((one) => one.start(root)))
  const ledger = createLedgerClient({
    url: services.ledgers[0]?.url ?? '',
    token: services.token,
    timeoutMs: PATIENCE_MS,
  })
  const db = openDatabase({
    url: database.urlFor('cairn_gateway'),
    applicationName: 'test',
    onError: () => {},
  })
  const deps = { clock: Date, sessionKeys: createKeyRing({ value: SESSION_SECRET }) }
  const people = await addPeople({ db, deps, ledger: { unrecorded: ledger } })
  return {
    database,
    services,
    ledger,
    people,
    readBalance: async () => {
      const { investors } = await ledger.ask('investors', { investorIds: [people.investorId] })
      return investors[0]?.available.balance ?? 0n
    },
    verify: async (program) => {
      const env = {
        PATH: process.env.PATH,
        LEDGER_DATABASE_URL: database.urlFor('cairn_auditor'),
        LEDGER_CHECKPOINT_DIR: services.checkpointDir,
      }
      const args = [join(program, 'ledger-service/src/cli.ts'), 'verify']
      return (await promisify(execFile)(process.execPath, args, { cwd: program, env })).stdout
    },
    remove: async () => {
      await services.remove()
      await db.destroy()
      await database.drop()
    },
  }
}
