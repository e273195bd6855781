import type { AdminClaim } from './queries.ts'

type ShownState = 'proved' | 'demo' | 'stated' | 'weaker' | 'hidden'

/**
 * Returns what the site shows of a claim. The figures of a demo prove nothing about a real operator,
 * so its claims have demo evidence only. A claim without evidence can have a weaker text.
 */
export function getShownState(
  { state, text }: Pick<AdminClaim, 'state' | 'text'>,
  { isDemo }: { isDemo: boolean },
): ShownState {
  if (state === 'proved' && isDemo) return 'demo'
  if (state !== 'withheld') return state
  return text === '' ? 'hidden' : 'weaker'
}

/** Joins the reasons to one sentence. Only the first word and abbreviations keep their capitals. */
export function describeReasons(reasons: readonly string[]): string {
  return reasons
    .map((reason, place) => (place > 0 && /^[A-Z][a-z]/u.test(reason) ? lower(reason) : reason))
    .join('; ')
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
