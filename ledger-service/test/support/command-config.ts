import { join } from 'node:path'
import type { TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import { createOnlyPlace } from '../../src/service/directory/place.ts'

/** The configuration of a command that acts in place of the service of one ledger. */
export function createCommandConfig(database: TestDatabase, checkpointDir: string) {
  return {
    places: [createOnlyPlace({ databaseUrl: database.urlFor('cairn_ledger'), count: 1 })],
    origin: 'cairn.test/ledger',
    checkpointDir,
    signingKeyPem: null,
    signingKeyFile: join(checkpointDir, 'key.pem'),
    clock: systemClock,
    durability: 'local',
  } as const
}
