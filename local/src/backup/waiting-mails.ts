import pg from 'pg'

const MAIL_QUEUE = 'mail.send'
/** The cursor of the first ledger. The name for another ledger ends with `@` and its number. */
const MAIL_FOLLOWER = 'mail.v1'

/**
 * Discards the mails that were not sent yet at the restored time. The lost platform sent them after
 * that time, so people would receive them twice. Returns the number of discarded mails.
 * `ledger` is the number of the first ledger.
 */
export async function discardWaitingMails(
  url: string,
  { ledger }: { ledger: number },
): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `update identity.outbox set sealed = null, handed_over_at = coalesce(handed_over_at, created_at)
       where sent_at is null and sealed is not null`,
    )
    if (await hasTable(client, 'platform_jobs.job')) {
      await client.query(`delete from platform_jobs.job where name = $1 and state < 'completed'`, [
        MAIL_QUEUE,
      ])
    }
    // A backup of an earlier release has no announcements.
    const announced = (await hasTable(client, 'platform.announcement_mail'))
      ? await client.query('delete from platform.announcement_mail')
      : { rowCount: 0 }
    await client.query(
      `update platform.cursor set seq = head.size - 1 from ledger.head
       where name = case ledger_id when $2 then $1 else $1 || '@' || ledger_id end
         and seq < head.size - 1`,
      [MAIL_FOLLOWER, ledger],
    )
    return (rowCount ?? 0) + (announced.rowCount ?? 0)
  } finally {
    await client.end()
  }
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as "isThere"', [name])
  return rows[0].isThere
}
