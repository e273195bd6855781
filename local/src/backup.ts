import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getOldestKept } from './backup/backup-folder.ts'
import { backUpWithCheckpoints, getCheckpointsPath } from './backup/checkpoint-copies.ts'
import { requireBackupDir, runCommand } from './backup/command.ts'
import { openStore } from './backup/open-store.ts'
import { recordResult } from './backup/results.ts'
import { copySecrets, deleteOldSecrets } from './backup/secrets-copies.ts'
import { readEnvironment } from './environment.ts'

// `npm run backup` copies the database of the running platform into BACKUP_DIR, or tells pgBackRest
// to back up the server of DATABASE_URL. The result is in BACKUP_DIR in both cases. Backups of more
// than 30 days are deleted, because such a backup can contain the keys of people who were deleted
// after it was made.

await runCommand(async (print) => {
  const isFull = parseFull(process.argv.slice(2))
  const environment = readEnvironment(process.env)
  const { dataDir, stanza } = environment
  const backupDir = requireBackupDir(environment)
  const store = openStore(environment, backupDir)
  await recordResult({ backupDir, command: 'backup' }, async () => {
    const now = new Date()
    // The services of systemd have their secrets elsewhere.
    const hasSecrets = existsSync(join(dataDir, 'secrets'))
    const backUp = () => store.backUp({ isFull, print })
    const folders = { from: getCheckpointsPath(dataDir), to: getCheckpointsPath(backupDir) }
    // The platform of `npm start` copies its checkpoints itself.
    const details = hasSecrets ? await backUp() : await backUpWithCheckpoints(folders, backUp)
    if (hasSecrets) {
      await copySecrets({ dataDir, backupDir, now })
      await deleteOldSecrets(backupDir, getOldestKept(now))
      const contents = stanza === null ? 'the secrets and the keys of people' : 'the secrets'
      print(`${backupDir} contains ${contents}: keep its copies encrypted`)
    }
    return details
  })
})

function parseFull(args: string[]): boolean {
  const { full = false } = parseArgs({ args, options: { full: { type: 'boolean' } } }).values
  return full
}
