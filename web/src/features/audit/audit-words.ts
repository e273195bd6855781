import { formatMoney } from '../../money/money.ts'

const MINOR = 'Minor'

/** `transaction.approve` as `Transaction: approve`, `user.force-reset` as `User: force reset`. */
export function actionWords(action: string): string {
  const [noun = '', verb] = action.replaceAll('-', ' ').split('.')
  const subject = noun.charAt(0).toUpperCase() + noun.slice(1)
  return verb === undefined ? subject : `${subject}: ${verb}`
}

/** A value of the trail as one line of text. */
export function detailWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export type DetailLine = { name: string; before: string | null; after: string }

/** `amountMinor` is an amount in cents; people read it as one in dollars. */
function inDollars(name: string, value: unknown): unknown {
  const isMinor = name.endsWith(MINOR) && /^-?\d+$/.test(String(value))
  return isMinor ? formatMoney(BigInt(String(value))) : value
}

/** Each thing that was said; where it replaced something, also what it replaced. */
export function detailLines(details: Readonly<Record<string, unknown>>): DetailLine[] {
  return Object.entries(details).map(([key, value]) => {
    const name = key.endsWith(MINOR) ? key.slice(0, -MINOR.length) : key
    const words = (part: unknown) => detailWords(inDollars(key, part))
    if (typeof value === 'object' && value !== null && 'before' in value && 'after' in value) {
      return { name, before: words(value.before), after: words(value.after) }
    }
    return { name, before: null, after: words(value) }
  })
}
