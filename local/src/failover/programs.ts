import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The programs of a cluster, by their absolute paths. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  readonly haproxy: string
  /** The folder of the programs of PostgreSQL. */
  readonly postgresFolder: string
}

const POSTGRES_VERSIONS = [18, 17, 16, 15]
const FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin']

/** Finds the programs. Throws an error that names the Debian package of each missing program. */
export function findPrograms(
  folders: readonly string[] = [...(process.env.PATH ?? '').split(':'), ...FOLDERS],
  postgresRoot = '/usr/lib/postgresql',
): Programs {
  const find = (name: string) =>
    folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  const postgresFolder = POSTGRES_VERSIONS.map((version) =>
    join(postgresRoot, String(version), 'bin'),
  ).find((folder) => existsSync(join(folder, 'postgres')))
  const [etcd, patroni, haproxy] = ['etcd', 'patroni', 'haproxy'].map(find)
  const missing = [
    ...(etcd === undefined ? ['etcd-server'] : []),
    ...(patroni === undefined ? ['patroni'] : []),
    ...(haproxy === undefined ? ['haproxy'] : []),
    ...(postgresFolder === undefined ? ['postgresql-15'] : []),
  ]
  if (
    etcd === undefined ||
    patroni === undefined ||
    haproxy === undefined ||
    postgresFolder === undefined
  ) {
    throw new Error(
      `programs are missing; on Debian: apt-get install --no-install-recommends ${missing.join(' ')}`,
    )
  }
  return { etcd, patroni, haproxy, postgresFolder }
}
