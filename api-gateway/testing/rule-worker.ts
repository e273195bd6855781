import { pino } from 'pino'
import { createRuleCopying } from '../src/features/ledgers/copy-rules.ts'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import type { TestGateway } from './test-gateway.ts'

/** The part of the gateway worker that copies plans, rules and approvers to the further ledgers. */
export interface RuleWorker {
  db: Database
  runCopies(): Promise<void>
  stop(): Promise<void>
}

export function startRuleWorker({ workerUrl, deps }: TestGateway): RuleWorker {
  const db = openDatabase({ url: workerUrl, applicationName: 'test', onError: () => {} })
  const runCopies = createRuleCopying({
    db,
    clock: deps.clock,
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    ledgers: deps.ledgers,
  })
  return { db, runCopies, stop: () => db.destroy() }
}
