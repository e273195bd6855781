import { listKeyTexts } from '@cairn/gateway-contracts/proof'

import { formatDate } from '../../shared/dates/format-date.ts'
import { describeAccount, describeKind, KIND_WORDS } from './describe-event.ts'

type Data = Readonly<Record<string, unknown>>
type Described = { data: Data; subject?: { name: string } | undefined }

const MODE_WORDS: Readonly<Record<string, string>> = {
  single: 'One administrator decides',
  required: 'Two administrators required',
}
/** The number of characters of a hash that tell files apart. */
const HASH_LENGTH = 12

/**
 * Returns the subject of an event: the person, the plan, the wallet, the currency, the month or the
 * new state in its data. Null if the data contains none of them.
 */
export function describeSubject({ data, subject }: Described): string | null {
  const { asset, count, version, account, from, mode } = data
  const plan = findPlanName(data)
  const parts = [
    subject?.name ?? findText(data, ['investorId', 'bonusTo', 'approverId']),
    plan,
    findWallet(data),
    typeof account === 'string' ? describeAccount(account) : undefined,
    typeof asset === 'string' ? asset.split('/')[0] : describeSource(from),
    typeof count === 'string' ? `${count} audit rows` : undefined,
    typeof version === 'string' && plan === undefined ? `Version ${version}` : undefined,
    describeMonth(data),
    typeof mode === 'string' && Object.hasOwn(MODE_WORDS, mode) ? MODE_WORDS[mode] : undefined,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? findOtherSubject(data) : parts.join(', ')
}

/** Returns the first of these values that is a text. */
function findText(data: Data, names: readonly string[]): string | undefined {
  return names.map((name) => data[name]).find((value) => typeof value === 'string')
}

function findPlanName({ planName, terms }: Data): string | undefined {
  if (typeof planName === 'string') return planName
  const hasName = typeof terms === 'object' && terms !== null && 'name' in terms
  return hasName ? String(terms.name) : undefined
}

function findWallet({ wallet, source }: Data): string | undefined {
  const kind = [wallet, source].find(isKind)
  return kind === undefined ? undefined : describeKind(kind).toLowerCase()
}

/** Names the account whose earnings were moved to the reserve. */
function describeSource(from: unknown): string | undefined {
  return isKind(from) ? describeKind(from) : undefined
}

function isKind(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(KIND_WORDS, value)
}

function describeMonth({ month }: Data): string | undefined {
  return typeof month === 'string' ? formatDate(`${month}-01`, 'monthOfYear') : undefined
}

/** Returns a note, a file or a key, for an event that names nothing else. */
function findOtherSubject(data: Data): string | null {
  const { fileSha256, verifierKey } = data
  if (typeof fileSha256 === 'string') return `File ${fileSha256.slice(0, HASH_LENGTH)}…`
  if (typeof verifierKey === 'string') return nameKey(verifierKey)
  return findText(data, ['note', 'reason']) ?? findNewKey(data)
}

/** Names the key that signs from this event on, which the last of the handovers contains. */
function findNewKey({ handovers }: Data): string | null {
  const lines = Array.isArray(handovers) ? handovers.map(String) : []
  const key = listKeyTexts(lines).at(-1)
  return key === undefined ? null : nameKey(key)
}

/** The last part of a verifier key is the key itself. The parts before it name the key. */
function nameKey(verifierKey: string): string {
  return verifierKey.split('+').slice(0, 2).join('+')
}
