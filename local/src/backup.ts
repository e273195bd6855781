import { deleteOldBackups } from './backup/backup-folder.ts'
import { findOwnDatabase, formatSeconds, requireBackupDir, runCommand } from './backup/command.ts'
import { recordResult } from './backup/results.ts'
import { copySecrets, deleteOldSecrets } from './backup/secrets-copies.ts'
import { takeBackup } from './backup/take-backup.ts'
import { readEnvironment } from './environment.ts'

// `npm run backup` copies the database of the running platform into BACKUP_DIR. Deletes backups
// that are older than 30 days, because such a backup can contain the keys of people who were
// deleted after it was made.
const KEPT_DAYS = 30
const DAY_MS = 86_400_000

await runCommand(async (print) => {
  const environment = readEnvironment(process.env)
  const { dataDir } = environment
  const backupDir = requireBackupDir(environment)
  const found = await findOwnDatabase(environment)
  if (found === null) {
    throw new Error(
      `the platform of ${dataDir} does not run, or has no database of its own: start the platform. ` +
        'For the server of DATABASE_URL, use the tools of that server, such as pg_dump or pgBackRest',
    )
  }
  await recordResult({ backupDir, command: 'backup' }, async () => {
    const began = new Date()
    const oldest = new Date(began.getTime() - KEPT_DAYS * DAY_MS)
    const { name, files } = await takeBackup({ ownerUrl: found.owner, backupDir })
    await copySecrets({ dataDir, backupDir, now: began })
    print(`${name}: ${files} files in ${formatSeconds(began)}`)
    for (const old of await deleteOldBackups(backupDir, oldest)) {
      print(`deleted ${old}, which is older than ${KEPT_DAYS} days`)
    }
    await deleteOldSecrets(backupDir, oldest)
    print(`${backupDir} contains the secrets and the keys of people: keep its copies encrypted`)
    return { backup: name, files }
  })
})
