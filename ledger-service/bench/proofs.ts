import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { model } from '../src/domain/model.ts'
import { rebuildProjections } from '../src/proofs/rebuild.ts'
import { runWithPool } from './books.ts'
import { runInChild } from './child.ts'
import { measureCpu } from './cpu.ts'
import type { GrownLedger } from './grown-ledger.ts'
import { measureReadingP99 } from './reading.ts'
import { createCeilingRow, createFloorRow, measure, type Row } from './row.ts'
import type { Service } from './service.ts'
import type { VerifyResult } from './verify-process.ts'

/** The minimum rate, in events per second, of a verification that also decides each event again. */
const VERIFY_FLOOR = 40_000
const VERIFY_MAX_MB = 500
const REBUILD_FLOOR = 30_000
const INCLUSION_MAX_MS = 5
const RECEIPT_MAX_MS = 50
/**
 * Reads in the first seconds are not measured, because a new service is slow until its code is
 * compiled.
 */
const WARM_UP_SECONDS = 3

export async function measureProofs(
  service: Service,
  grown: GrownLedger,
  postmaster: number,
): Promise<readonly Row[]> {
  const { client, port, token } = service
  const { size } = await client.ask('head', { size: null })
  const pickSeq = () => BigInt(Math.floor(Math.random() * Number(size)))
  const inclusionP99 = await measureReadingP99({
    port,
    token,
    subject: { size: Number(size) },
    seconds: Math.min(grown.seconds, 5),
    warmUpSeconds: WARM_UP_SECONDS,
  })

  const files = await Promise.all(
    Array.from({ length: 50 }, () => client.ask('receipt', { seq: pickSeq() })),
  )
  const verified = await measure({ inFlight: 1, seconds: 1 }, async (index) => {
    const file = files[index % files.length]
    if (file === undefined) throw new RangeError('no receipt')
    await verifyReceipt(file.receipt, openKeys(file.verifierKeys))
  })

  const programs = { own: 'rebuild', children: 'verify', postmaster, service: service.pid }
  const { result: verification, shares: verifyShares } = await measureCpu(programs, () =>
    runInChild<VerifyResult>('verify-process.ts', { ledgerUrl: grown.ledgerUrl }),
  )
  const { result: rebuilt, shares: rebuildShares } = await measureCpu(programs, () =>
    measureRebuild(grown.ledgerUrl),
  )
  const log = `a log of ${verification.events.toLocaleString('en-US')} events`
  return [
    createFloorRow({
      name: `verify, with replay, ${log}`,
      unit: 'events/s',
      value: verification.perSecond,
      floor: VERIFY_FLOOR,
      shares: verifyShares,
    }),
    createCeilingRow({
      name: `memory of the process that verifies ${log}`,
      unit: 'MB',
      value: verification.peakMb,
      ceiling: VERIFY_MAX_MB,
    }),
    createFloorRow({
      name: `rebuild ${log}`,
      unit: 'events/s',
      value: rebuilt,
      floor: REBUILD_FLOOR,
      shares: rebuildShares,
    }),
    createCeilingRow({
      name: `inclusion proof from the service in ${log}, p99`,
      unit: 'ms',
      value: inclusionP99,
      ceiling: INCLUSION_MAX_MS,
    }),
    createCeilingRow({
      name: 'receipt verified from the file and the key alone (in Node), p99',
      unit: 'ms',
      value: verified.p99Ms,
      ceiling: RECEIPT_MAX_MS,
    }),
  ]
}

/**
 * Computes all projections from the log and compares them with the stored projections. Returns
 * events per second.
 */
async function measureRebuild(ledgerUrl: string): Promise<number> {
  const began = performance.now()
  const { events, differences } = await runWithPool(ledgerUrl, (pool) =>
    rebuildProjections(pool, { ledger: 1, model, isRepairing: false }),
  )
  if (differences.length > 0) throw new Error(`the projections differ: ${differences[0]}`)
  return (Number(events) / (performance.now() - began)) * 1_000
}
