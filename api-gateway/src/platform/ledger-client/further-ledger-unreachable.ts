import { LedgerUnreachable } from '@cairn/ledger-contracts'

/** A ledger other than the first one of the site did not answer. */
export class FurtherLedgerUnreachable extends LedgerUnreachable {
  readonly ledger: number

  constructor(ledger: number, options: { cause: unknown }) {
    super(`Ledger ${ledger} does not answer`, options)
    this.ledger = ledger
  }
}
