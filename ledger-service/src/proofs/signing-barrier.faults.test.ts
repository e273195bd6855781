import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CrashablePostgres,
  startCrashablePostgres,
} from '../../test/support/crashable-postgres.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { getMonth } from '../domain/months/month.ts'
import { createPool } from '../service/database/pool.ts'
import { getCheckpointFileName } from './checkpoint-file.ts'
import { createCheckpoints } from './checkpoints.ts'

let postgres: CrashablePostgres
let superuser: pg.Pool
let ledger: TestLedger
beforeAll(async () => {
  postgres = await startCrashablePostgres()
  superuser = createPool({ url: postgres.database.url, max: 2, name: 'superuser' })
  ledger = await startTestLedger({ database: postgres.database })
})
afterAll(async () => {
  // Without this reset, connections that wait for the missing standby would never end.
  await nameStandby('')
  await ledger.close()
  await superuser.end()
  await postgres.drop()
})

async function nameStandby(name: string): Promise<void> {
  await superuser.query(`alter system set synchronous_standby_names = '${name}'`)
  await superuser.query('select pg_reload_conf()')
}

/**
 * Sets `synchronous_standby_names` to a standby that does not exist. Returns as soon as commits
 * wait for this standby.
 */
async function loseStandby(): Promise<void> {
  await nameStandby('missing')
  const probe = new pg.Client({
    connectionString: postgres.database.url,
    application_name: 'probe',
  })
  await probe.connect()
  let isProbing = true
  const probing = (async () => {
    while (isProbing) await probe.query(`select pg_logical_emit_message(true, 'test', '')`)
  })()
  await cancelWaitOfSession('probe', () => {
    isProbing = false
  })
  await probing
  await probe.end()
}

/** Returns the connections of this name that wait for the standby. */
async function listWaitingSessions(name: string): Promise<readonly { pid: number }[]> {
  const { rows } = await superuser.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = $1 and wait_event = 'SyncRep'`,
    [name],
  )
  return rows
}

/** Waits until a connection of this name waits for the standby, and cancels its wait. */
async function cancelWaitOfSession(name: string, beforeCancel = () => {}): Promise<void> {
  await expect.poll(() => listWaitingSessions(name)).toHaveLength(1)
  beforeCancel()
  for (const { pid } of await listWaitingSessions(name)) {
    await superuser.query('select pg_cancel_backend($1)', [pid])
  }
}

function startSigner(name: string, confirm?: () => Promise<void>) {
  const pool = createPool({ url: postgres.database.urlFor('cairn_ledger'), max: 2, name })
  const checkpointDir = join(ledger.signing.checkpointDir, name)
  const file = join(checkpointDir, getCheckpointFileName(1, getMonth(Date.now())))
  const { key } = ledger.signing
  const parts = {
    ledger: 1,
    pool,
    key,
    clock: ledger.clock,
    log: pino({ level: 'silent' }),
    checkpointDir,
  }
  const signer = createCheckpoints(confirm === undefined ? parts : { ...parts, confirm })
  return {
    ...signer,
    readNotes: () => readFile(file, 'utf8').catch(() => ''),
    end: async () => {
      await signer.stop()
      await pool.end()
    },
  }
}

test('a head that is not replicated is not signed, and the signature is tried again', async () => {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const { size } = await ledger.ask('head', { size: null })
  await loseStandby()
  expect(await ledger.ask('durability', {})).toEqual({ required: 'local', now: 'standby' })
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const funded = ledger.submit('FundWallet', {
    ...gift,
    transactionId: createId(Date.now()),
    investorId,
  })
  await cancelWaitOfSession('ledger-1')
  // The event is now visible on the primary server, but no standby has it.
  await expect.poll(async () => (await ledger.ask('head', { size: null })).size).toBe(size + 1n)

  const signer = startSigner('signer')
  signer.notifyAppended()
  await cancelWaitOfSession('signer')
  await cancelWaitOfSession('signer')
  expect(await signer.readNotes()).toBe('')

  // Sabotaged twin: the signer `hasty` does not wait for the standby. Its file then holds an event
  // that the failure of the server would lose.
  const hasty = startSigner('hasty', async () => {})
  hasty.notifyAppended()
  await expect.poll(hasty.readNotes).toContain(`\n${size + 1n}\n`)

  // The test continues only after `signer` waits for the standby. Otherwise `hasty` could store its
  // checkpoint first, and `signer` would find nothing to sign.
  await expect.poll(() => listWaitingSessions('signer')).toHaveLength(1)
  await nameStandby('')
  expect((await funded).outcome).toBe('recorded')
  await expect.poll(signer.readNotes).toContain(`\n${size + 1n}\n`)
  await Promise.all([signer.end(), hasty.end()])
})
