import { openKeys, ProofError, parseVerifierKey } from '@cairn/gateway-contracts/proof'

/**
 * Parses the keys of `PINNED_LEDGER_KEYS`: the lines of the file `ledger-1-keys.txt`. Throws an
 * error if a line is not a verifier key, or is not a handover that the key before it has signed,
 * because such pages would verify nothing.
 */
export function parsePinnedKeys(text: string | undefined): readonly string[] {
  const lines = (text ?? '').split('\n').flatMap((line) => line.trim() || [])
  if (lines.length === 0) return []
  try {
    parseVerifierKey(lines[0] ?? '')
    openKeys(lines)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new Error(
      `PINNED_LEDGER_KEYS is not usable: ${error.message}. Set it to the text of ledger-1-keys.txt, or leave it empty`,
    )
  }
  return lines
}
