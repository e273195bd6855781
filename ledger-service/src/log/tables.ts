import { logTable } from './table.ts'

export const eventTable = logTable('event', {
  seq: 'int8',
  type: 'text',
  schemaVersion: 'int4',
  actor: 'text',
  recordedAt: 'timestamptz',
  effectiveAt: 'timestamptz',
  requestHash: 'bytea',
  idempotencyHash: 'bytea?',
  bytes: 'bytea',
  leafHash: 'bytea',
})

export const postingTable = logTable('posting', {
  account: 'text',
  seq: 'int8',
  leg: 'int4',
  amountMinor: 'int8',
  balanceAfterMinor: 'int8',
})

export const subtreeTable = logTable('subtree', { level: 'int4', idx: 'int8', hash: 'bytea' })

export const refusalTable = logTable('refusal', {
  idempotencyHash: 'bytea',
  requestHash: 'bytea',
  code: 'text',
  message: 'text',
  details: 'jsonb',
  recordedAt: 'timestamptz',
})

export const logTables = [eventTable, postingTable, subtreeTable, refusalTable]
