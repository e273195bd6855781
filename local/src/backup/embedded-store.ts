import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../environment.ts'
import { readSecrets } from '../secrets.ts'
import {
  type Backup,
  deleteOldBackups,
  findBackup,
  getOldestKept,
  KEPT_DAYS,
} from './backup-folder.ts'
import { findOwnDatabase, formatSeconds } from './command.ts'
import { recoverServer } from './recover-server.ts'
import { NoOutcome } from './results.ts'
import { restoreSecrets } from './secrets-copies.ts'
import type { BackupStore, RecoveryOrder, RestoredServer } from './store.ts'
import { takeBackup } from './take-backup.ts'

/** Stores copies of the embedded server in `BACKUP_DIR`, beside the archive of its log. */
export function createEmbeddedStore(environment: Environment, backupDir: string): BackupStore {
  return {
    backUp: async ({ print }) => {
      const found = await findOwnDatabase(environment)
      if (found === null) {
        throw new NoOutcome(`the platform of ${environment.dataDir} does not run: start it`)
      }
      const began = new Date()
      const { name, files } = await takeBackup({ ownerUrl: found.owner, backupDir })
      print(`${name}: ${files} files in ${formatSeconds(began)}`)
      for (const old of await deleteOldBackups(backupDir, getOldestKept(began))) {
        print(`deleted ${old}, which is older than ${KEPT_DAYS} days`)
      }
      return { backup: name, files }
    },
    find: async (wanted) => {
      const backup = await findBackup(backupDir, wanted)
      return {
        name: backup.name,
        bytes: await measureFiles(backup),
        recover: (order) => recoverCopy(backup, { ...order, backupDir }),
      }
    },
  }
}

async function measureFiles({ folder, list }: Backup): Promise<number> {
  let bytes = 0
  for (const path of list.keys()) bytes += (await stat(join(folder, path))).size
  return bytes
}

async function recoverCopy(
  backup: Backup,
  { print: log, ...order }: RecoveryOrder & { backupDir: string },
): Promise<RestoredServer> {
  // The server has the passwords of the restored secrets.
  await restoreSecrets(order)
  const { superuser: password, passwords } = await readSecrets(order.into)
  const server = await recoverServer({ ...order, backup, password, log })
  return {
    dataDir: server.dataDir,
    ownerUrl: server.url('postgres', password, 'cairn'),
    gatewayUrl: server.url('cairn_gateway', passwords.cairn_gateway, 'cairn'),
    stop: server.stop,
  }
}
