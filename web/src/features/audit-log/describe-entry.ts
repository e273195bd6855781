import { formatMinorOf } from '../../shared/money/asset-text.ts'
import { ACTION_SENTENCES, type ActionSentence } from './action-sentences.ts'
import { listDetails } from './describe-details.ts'
import type { AuditEntry } from './queries.ts'

type Details = AuditEntry['details']

const NAMES_SHOWN = 2

/**
 * Describes an entry as a sentence without its actor, such as `approved deposit DP-1 of $50.00` or
 * `tried to log in`.
 */
export function describeEntry({ action, result, details }: AuditEntry): string {
  const [base, past, object] = findSentence(action)
  const verb = result === 'success' ? past : `tried to ${base}`
  return joinWords(verb, fillObject(object, details)) + describeChangedFields(details)
}

/** Describes an action in general, not one entry. For example: `Approve a transaction`. */
export function describeAction(action: string): string {
  const [base, , object] = findSentence(action)
  const words = joinWords(base, fillObject(object, {}))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * A row from a newer or older version of the gateway can have an action for which this version has
 * no sentence.
 */
function findSentence(action: string): ActionSentence {
  const sentences: Readonly<Record<string, ActionSentence>> = ACTION_SENTENCES
  return sentences[action] ?? ['use', 'used', `“${action}”`]
}

function joinWords(verb: string, object: string): string {
  return object === '' ? verb : `${verb} ${object}`
}

/** Names the object of the action by the values that the entry records. */
function fillObject(object: string, details: Details): string {
  return object
    .replace('{transaction}', () => describeTransaction(details))
    .replace('{plan}', () => (typeof details.name === 'string' ? `plan ${details.name}` : 'a plan'))
    .replace('{amount}', () => findAmount(details) ?? 'money')
}

/** Names the changed fields of a form, such as `: Minimum deposit, Deposit fee and 2 more`. */
function describeChangedFields({ changes }: Details): string {
  const names = listDetails({ changes: changes ?? {} }).map(({ name }) => name)
  const more = names.length - NAMES_SHOWN
  const shown = names.slice(0, NAMES_SHOWN).join(', ')
  return names.length === 0 ? '' : `: ${shown}${more > 0 ? ` and ${more} more` : ''}`
}

function describeTransaction(details: Details): string {
  const { type, reference } = details
  const kind = typeof type === 'string' ? type : 'transaction'
  const amount = findAmount(details)
  const name = typeof reference === 'string' ? `${kind} ${reference}` : `a ${kind}`
  return amount === null ? name : `${name} of ${amount}`
}

function findAmount({ amountMinor, asset }: Details): string | null {
  if (!/^\d+$/.test(String(amountMinor))) return null
  return formatMinorOf(typeof asset === 'string' ? asset : '', BigInt(String(amountMinor)))
}
