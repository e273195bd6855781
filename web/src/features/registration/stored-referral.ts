const KEY = 'cairn.refid'
const KEPT_DAYS = 30
const DAY_MS = 86_400_000
const REFERRAL_ID = /^[0-9A-Za-z]{6,20}$/

/** Stores the id of a referral link, because the visitor may register only days after the visit. */
export function storeReferral(refid: string, nowMs: number): void {
  if (!REFERRAL_ID.test(refid)) return
  try {
    localStorage.setItem(KEY, JSON.stringify({ refid, until: nowMs + KEPT_DAYS * DAY_MS }))
  } catch {
    // Without storage the link works only if the sign-up follows at once.
  }
}

export function findReferral(nowMs: number): string | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    const { refid, until } = kept as Record<string, unknown>
    return typeof refid === 'string' && typeof until === 'number' && until > nowMs ? refid : null
  } catch {
    return null
  }
}
