import { spawnSync } from 'node:child_process'

/** A user of the operating system. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The package of the server creates this user. */
const USER = 'postgres'

/**
 * Returns the user of processes that PostgreSQL refuses to run as root; null means the user of this
 * process. Throws if this process is root and the system lacks the user of PostgreSQL.
 */
export function findAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, USER], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`root cannot run PostgreSQL, and there is no user ${USER}`)
    return Number(stdout)
  })
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${USER}`)
  return { uid, gid }
}
