/**
 * Thrown if this writer must not take over the log. If `endsProcess` is true, no writer of this
 * process can take over the log. Otherwise another writer has replaced this writer.
 */
export class Deposed extends Error {
  override readonly name: string = 'Deposed'
  readonly endsProcess: boolean = false
  /** True if another writer of this database records the commands of this writer. */
  readonly hasSuccessor: boolean = true
}

/** Thrown if the ledger was moved to another database. The caller repeats the commands there. */
export class MovedAway extends Deposed {
  override readonly name = 'MovedAway'
  override readonly hasSuccessor = false
}

/**
 * Thrown if the version of the rules in force is newer than the versions that this process knows.
 */
export class OutdatedModel extends Deposed {
  override readonly name = 'OutdatedModel'
  override readonly endsProcess = true
  constructor({ ledger, found, own }: { ledger: number; found: number; own: number }) {
    super(
      `version ${found} of the rules is in force in ledger ${ledger}, this process has version ${own}: ` +
        'start the newer version of the ledger',
    )
  }
}

/**
 * Thrown if a table of the log has rows beyond the head. Only a change from outside can add such
 * rows, so no command is recorded until an administrator has examined the log.
 */
export class BrokenLog extends Deposed {
  override readonly name = 'BrokenLog'
  override readonly endsProcess = true
  constructor(constraint: string, options: ErrorOptions) {
    const what = `the log has rows beyond its head (${constraint})`
    super(`${what}: nothing is recorded; run verify and restore the log`, options)
  }
}
