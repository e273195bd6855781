/** The backups of an installation: copies in `BACKUP_DIR`, or a stanza of pgBackRest. */
export interface BackupStore {
  /** Takes a backup of the running server. Returns the figures that the result contains. */
  backUp(order: {
    /** True for a backup that needs no earlier one. The copies in `BACKUP_DIR` never need one. */
    isFull: boolean
    print: (line: string) => void
  }): Promise<object>
  /**
   * Returns the named backup, or the newest backup that ended at or before `until`. Throws if no such
   * backup exists.
   */
  find(wanted: { until: Date | null; named: string | null }): Promise<StoredBackup>
}

export interface StoredBackup {
  readonly name: string
  /** The size of the restored files. */
  readonly bytes: number
  /**
   * Restores the backup into a folder and returns its recovered server, which is running. Throws if
   * the backup or the archive is not complete.
   */
  recover(order: RecoveryOrder): Promise<RestoredServer>
}

export interface RecoveryOrder {
  /** The time to which the server recovers; null for the end of the archive. */
  readonly until: Date | null
  /** The folder to restore. The server's files are below it, or in the folder of its account. */
  readonly into: string
  /**
   * The folder with the files of the lost server, or null. The last part of its write-ahead log may
   * not be archived yet.
   */
  readonly lost: string | null
  readonly print: (line: string) => void
}

export interface RestoredServer {
  readonly dataDir: string
  /** The URL of the account that owns the restored database. */
  readonly ownerUrl: string
  readonly gatewayUrl: string
  stop(): Promise<void>
}
