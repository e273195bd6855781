import { formatCount } from '@cairn/gateway-contracts/counted'
import type { ProofError } from '@cairn/gateway-contracts/proof'

/**
 * Returns the message of a failed proof, with the numbers of events as the pages show them: `event
 * 1,562`. The proof code has no formats, because it also runs without these pages.
 */
export function describeReason({ message }: ProofError): string {
  return message.replace(/(?<=\bevent )\d+|\d+(?= events\b)/g, formatCount)
}
