import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A place of a test: the URL of its database for any role, and its ledgers. */
export interface TestPlace {
  name: string
  url: string
  readUrl?: string
  ledgers: readonly (number | string)[]
}

/** A file for LEDGER_DIRECTORY, with the passwords in files beside it. */
export interface TestDirectory {
  readonly file: string
  write(places: readonly TestPlace[]): Promise<void>
  /** Replaces the file by one that is not valid. */
  spoil(): Promise<void>
  drop(): Promise<void>
}

export async function createTestDirectory(): Promise<TestDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-places-'))
  const file = join(folder, 'directory.json')

  async function replaceFile(text: string): Promise<void> {
    await writeFile(`${file}.next`, text)
    await rename(`${file}.next`, file)
  }

  return {
    file,
    write: async (places) => {
      const described = places.map(async ({ name, url, readUrl, ledgers }) => {
        const { password } = new URL(url)
        await writeFile(join(folder, name), decodeURIComponent(password))
        return {
          name,
          url: removeAccount(url),
          ...(readUrl === undefined ? {} : { readUrl: removeAccount(readUrl) }),
          passwordFile: name,
          ledgers,
        }
      })
      await replaceFile(JSON.stringify({ places: await Promise.all(described) }))
    },
    spoil: () => replaceFile('{'),
    drop: () => rm(folder, { recursive: true }),
  }
}

function removeAccount(url: string): string {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return bare.href
}
