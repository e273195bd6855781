import { createLogTable } from './table.ts'

export const eventTable = createLogTable('event', {
  seq: 'int8',
  type: 'text',
  schemaVersion: 'int4',
  actor: 'text',
  recordedAt: 'timestamptz',
  effectiveAt: 'timestamptz',
  requestHash: 'bytea',
  idempotencyHash: 'bytea?',
  externalId: 'text?',
  bytes: 'bytea',
  leafHash: 'bytea',
})

export const postingTable = createLogTable('posting', {
  account: 'text',
  seq: 'int8',
  leg: 'int4',
  amountMinor: 'int8',
  balanceAfterMinor: 'int8',
})

export const subtreeTable = createLogTable('subtree', { level: 'int4', idx: 'int8', hash: 'bytea' })

export const refusalTable = createLogTable('refusal', {
  place: 'int8',
  idempotencyHash: 'bytea',
  requestHash: 'bytea',
  code: 'text',
  message: 'text',
  details: 'jsonb',
  recordedAt: 'timestamptz',
  bytes: 'bytea',
})

export const logTables = [eventTable, postingTable, subtreeTable, refusalTable]
