import { readMigrationFiles } from './migration-files.ts'

/**
 * Throws if a database with these migrations, in order, cannot continue with this version. Returns
 * the name of the last of them.
 */
export async function requireKnownMigrations(
  recorded: readonly { name: string; sha256: string }[],
  folder?: string,
): Promise<string> {
  const files = await readMigrationFiles(folder)
  const newest = files.at(-1)?.name ?? ''
  for (const [at, { name, sha256 }] of recorded.entries()) {
    const file = files[at]
    if (file?.name === name && file.sha256 === sha256) continue
    const reason =
      name > newest
        ? `migration ${name} is of a newer version`
        : `migration ${name} is not the one of this version`
    throw new Error(`${reason}: use the version of Cairn that applied it`)
  }
  const last = recorded.at(-1)
  if (last === undefined) throw new Error('no migration was recorded')
  return last.name
}
