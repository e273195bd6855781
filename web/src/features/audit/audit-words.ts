import { formatMoney } from '../../money/money.ts'
import { formatPercent } from '../../money/percent.ts'

const MINOR = 'Minor'
const PPM = 'Ppm'
const PPM_OF_A_PERCENT = 10_000

/** `transaction.approve` as `Transaction: approve`, `user.force-reset` as `User: force reset`. */
export function actionWords(action: string): string {
  const [noun = '', verb] = action.replaceAll('-', ' ').split('.')
  const subject = noun.charAt(0).toUpperCase() + noun.slice(1)
  return verb === undefined ? subject : `${subject}: ${verb}`
}

/** A value of the trail as one line of text. */
function detailWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export type DetailLine = { name: string; before: string | null; after: string }

/** `amountMinor` is in cents and `profitPpm` in millionths; people read dollars and percent. */
function inUnits(name: string, value: unknown): unknown {
  if (!/^-?\d+$/.test(String(value))) return value
  if (name.endsWith(MINOR)) return formatMoney(BigInt(String(value)))
  if (name.endsWith(PPM)) return formatPercent(Number(value) / PPM_OF_A_PERCENT)
  return value
}

/** `sourceOfReturn` as `Source of return`. */
function nameWords(key: string): string {
  const words = key
    .replace(new RegExp(`(${MINOR}|${PPM})$`), '')
    .replace(
      /([a-z])([A-Z])/g,
      (_all, left: string, right: string) => `${left} ${right.toLowerCase()}`,
    )
    .replace(/_/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Each thing that was said; where it replaced something, also what it replaced. */
export function detailLines(details: Readonly<Record<string, unknown>>): DetailLine[] {
  return Object.entries(details).map(([key, value]) => {
    const name = nameWords(key)
    const words = (part: unknown) => detailWords(inUnits(key, part))
    if (typeof value === 'object' && value !== null && 'before' in value && 'after' in value) {
      return { name, before: words(value.before), after: words(value.after) }
    }
    return { name, before: null, after: words(value) }
  })
}
