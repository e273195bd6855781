import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { type Database, openDatabase } from '../../api-gateway/src/platform/database/database.ts'
import { addSecondLedger } from '../../api-gateway/testing/further-ledger.ts'
import { startTwoPlaces, type TwoPlaces } from '../../ledger-service/test/support/two-places.ts'

/** A site with ledger 1 in the place `east` and ledger 2 in the place `west`. */
export interface TwoLedgerSite {
  readonly places: TwoPlaces
  /** The database of the site. */
  readonly database: TestDatabase
  /** The connections of the gateway. */
  readonly db: Database
  drop(): Promise<void>
}

/** The environment is that of the ledger service. */
export async function createTwoLedgerSite(
  environment: Readonly<Record<string, string>> = {},
): Promise<TwoLedgerSite> {
  const [places, database] = await Promise.all([
    startTwoPlaces({ east: [1], west: [2] }, environment),
    createTestDatabase(),
  ])
  const url = database.urlFor('cairn_gateway')
  const db = openDatabase({ url, applicationName: 'test', onError: () => {} })
  await addSecondLedger(db)
  return {
    places,
    database,
    db,
    drop: async () => {
      await db.destroy()
      await Promise.all([database.drop(), places.drop()])
    },
  }
}
