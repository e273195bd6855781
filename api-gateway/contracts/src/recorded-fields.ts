import type { EventDataOf, EventType } from '@cairn/ledger-contracts'

type Simple = string | number | bigint | boolean | null | undefined

/** The type of all field names in a value, including the names in nested values. */
type FieldNames<Value> = Value extends Simple
  ? never
  : Value extends readonly (infer Each)[]
    ? FieldNames<Each>
    : { [Name in keyof Value & string]: Name | FieldNames<Value[Name]> }[keyof Value & string]

type EventField = FieldNames<{ [Type in EventType]: EventDataOf<Type> }[EventType]>

/** The fields that only the audit log records. */
type AuditField =
  | '_id'
  | 'accountActivity'
  | 'accountNumber'
  | 'after'
  | 'answer'
  | 'approvedMinor'
  | 'bank'
  | 'before'
  | 'body'
  | 'call'
  | 'change'
  | 'changes'
  | 'chartRange'
  | 'consent'
  | 'country'
  | 'decision'
  | 'defaultRange'
  | 'displayStatus'
  | 'endsAt'
  | 'event'
  | 'explorerUrl'
  | 'extra'
  | 'failure'
  | 'filter'
  | 'firstDay'
  | 'format'
  | 'furtherTables'
  | 'id'
  | 'imageId'
  | 'investmentUpdates'
  | 'isAnswered'
  | 'isPaid'
  | 'isReversal'
  | 'kind'
  | 'language'
  | 'lastDay'
  | 'linesAdded'
  | 'marketUpdates'
  | 'matched'
  | 'monthlyStatement'
  | 'movement'
  | 'option'
  | 'passkey'
  | 'payOption'
  | 'payloadSha256'
  | 'payoutOption'
  | 'permission'
  | 'plan'
  | 'position'
  | 'promotionalOffers'
  | 'proof'
  | 'proposedBy'
  | 'question'
  | 'quote'
  | 'recipients'
  | 'reference'
  | 'retried'
  | 'role'
  | 'roles'
  | 'seconds'
  | 'session'
  | 'since'
  | 'size'
  | 'statement'
  | 'status'
  | 'statusBefore'
  | 'subject'
  | 'tables'
  | 'timeZone'
  | 'title'
  | 'transaction'
  | 'transactionAlerts'
  | 'type'
  | 'updatedAt'

/**
 * The names of the fields that ledger events and the audit log record. The web has a label for each
 * of them, so a new field does not compile without a label.
 */
export type RecordedField = EventField | AuditField
