import type { Claim } from '@cairn/gateway-contracts'

export interface Verdict {
  state: Claim['state']
  text: string
  evidence: Claim['evidence']
  /** The reasons why the claim may not be shown; empty if the claim may be shown. */
  reasons: readonly string[]
}

export function toEvidence(
  label: string,
  value: string,
  link: string | null = null,
): Claim['evidence'][number] {
  return { label, value, link, isLimit: false }
}

/** Returns a line of evidence that names a limit of a claim. */
export function toLimitEvidence(value: string): Claim['evidence'][number] {
  return { label: 'Not covered', value, link: null, isLimit: true }
}
