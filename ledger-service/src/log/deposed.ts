/** Thrown if this writer must not take the head, because another writer has replaced it. */
export class Deposed extends Error {
  override readonly name: string = 'Deposed'
}

/**
 * Thrown if the version of the rules in force is newer than the versions that this process knows.
 */
export class OutdatedModel extends Deposed {
  override readonly name = 'OutdatedModel'
  constructor({ ledger, found, own }: { ledger: number; found: number; own: number }) {
    super(
      `version ${found} of the rules is in force in ledger ${ledger}, this process has version ${own}: ` +
        'start the newer version of the ledger',
    )
  }
}
