import { getOldestKept, KEPT_DAYS } from './backup-folder.ts'
import { formatSeconds } from './command.ts'
import { copyErasures } from './erasures.ts'
import { readServer, requireArchiving, withServer } from './own-server.ts'
import { requireSupport, runPgBackRest } from './pgbackrest.ts'
import { type Place, recoverStanza } from './recover-stanza.ts'
import {
  chooseBackup,
  isFullDue,
  readStanza,
  requireEncryption,
  requireSameServer,
  type StanzaInfo,
} from './stanza-info.ts'
import type { BackupStore } from './store.ts'

/** Stores the backups of the server of DATABASE_URL in the repository of pgBackRest. */
export function createPgBackRestStore(place: Place): BackupStore {
  const { stanza } = place
  return {
    backUp: (order) => backUp(place, order),
    find: async (wanted) => {
      const backup = chooseBackup(await readStanza(stanza), wanted)
      return {
        name: backup.label,
        bytes: backup.info.size,
        recover: (order) => recoverStanza(place, { ...order, label: backup.label }),
      }
    },
  }
}

async function backUp(
  { databaseUrl, stanza, backupDir }: Place,
  { isFull, print }: { isFull: boolean; print: (line: string) => void },
): Promise<object> {
  const began = new Date()
  const server = await withServer(databaseUrl, readServer)
  requireSupport((await runPgBackRest('version', { stanza })).output, server.postgresVersion)
  const before = await readStanza(stanza)
  requireEncryption(before)
  requireSameServer(before, stanza, server.systemId)
  requireArchiving(server)
  // Archives a segment and waits until it is in the repository.
  await runPgBackRest('check', { stanza })
  const options = isFull || isFullDue(before, began.getTime()) ? ['--type=full'] : []
  const { warnings } = await runPgBackRest('backup', { stanza, options })
  const after = await readStanza(stanza)
  for (const line of explainRetention(after, { warnings, now: began })) print(line)
  await withServer(databaseUrl, (client) => copyErasures(client, backupDir))
  const taken = chooseBackup(after, { until: null, named: null })
  if (taken.error === true) {
    throw new Error(
      `${taken.label}: the server has pages with a wrong checksum, which its log and the log of pgBackRest name: ` +
        'restore an older backup into another folder and compare',
    )
  }
  const { label, type, info } = taken
  print(`${label}: ${type} backup, ${formatMegabytes(info)} MB new, in ${formatSeconds(began)}`)
  print(`after the loss of the server, at most the last ${server.archiveTimeout} s are lost`)
  return { backup: label, type, bytes: info.size, addedBytes: info.repository.delta }
}

const formatMegabytes = ({ repository }: { repository: { delta: number } }) =>
  (repository.delta / 1_000_000).toFixed(1)

const NO_RETENTION = /retention-full' is not set/

/** Returns the warnings of pgBackRest. A backup that is kept too long has keys of deleted people. */
export function explainRetention(
  { backup: [oldest] }: StanzaInfo,
  { warnings, now }: { warnings: readonly string[]; now: Date },
): readonly string[] {
  const lines = warnings.filter((line) => !NO_RETENTION.test(line))
  if (warnings.some((line) => NO_RETENTION.test(line))) {
    lines.push(
      'the repository keeps all backups, and in them the keys of people who are deleted later: set ' +
        'repo1-retention-full-type=time and repo1-retention-full=22',
    )
  } else if (oldest !== undefined && oldest.timestamp.stop * 1_000 < getOldestKept(now).getTime()) {
    lines.push(
      `${oldest.label} is older than ${KEPT_DAYS} days and has the keys of people who were deleted since: ` +
        'lower repo1-retention-full',
    )
  }
  return lines
}
