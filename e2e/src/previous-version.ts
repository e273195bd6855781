import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '..', '..')
const WORKSPACE_SCOPE = '@cairn'
/** The workspaces that the processes of a platform run. */
const ARCHIVED = ['package.json', 'service-kit', 'ledger-service', 'api-gateway']
const ARCHIVE_BYTES_MAX = 64 * 1024 * 1024

/** A version that was released, or the newest commit before the first release. */
export interface Release {
  readonly version: string
  readonly commit: string
  /** The version of the stored events. */
  readonly schema: number
  /** The newest version of the rules that the release knows. */
  readonly model: number
  readonly date: string
  /** The SHA-256 of each file that never changes after the release, from 0.9.0 on. */
  readonly files?: Readonly<Record<string, string>>
}

/** Reads the releases, the oldest first. */
export function readReleases(): readonly Release[] {
  // The cast is safe because `two-versions.faults.test.ts` checks the entries.
  return JSON.parse(readFileSync(join(ROOT, 'releases.json'), 'utf8')) as readonly Release[]
}

/** Returns the reason why the release cannot run beside this version; null if it can. */
export function findObstacle({ commit, version }: Release): string | null {
  if (!hasSucceeded('cat-file', '-e', `${commit}^{commit}`)) {
    return `this clone has no commit ${commit} (version ${version}): run git fetch --unshallow`
  }
  if (isFrozen(version) || listChangedMigrations(commit).length === 0) return null
  return `the baseline has changed since ${commit}: before 0.9.0, two such versions cannot share a database`
}

/** True for a version whose migrations are never edited. */
function isFrozen(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 0 || minor >= 9
}

/** Lists the migrations of the commit that this version has changed or removed. */
function listChangedMigrations(commit: string): readonly string[] {
  const args = ['diff', '--name-only', '--diff-filter=a', commit, '--', 'migrations/sql']
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return names.filter((name) => name !== '')
}

function hasSucceeded(...args: readonly string[]): boolean {
  return spawnSync('git', args, { cwd: ROOT, stdio: 'ignore' }).status === 0
}

export interface Checkout {
  readonly root: string
  remove(): Promise<void>
}

/**
 * Writes the code of a commit into a temporary folder. It uses its own workspaces and, like this
 * version, the installed packages.
 */
export async function checkOut(commit: string): Promise<Checkout> {
  const root = await mkdtemp(join(tmpdir(), 'cairn-version-'))
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...ARCHIVED], {
    cwd: ROOT,
    maxBuffer: ARCHIVE_BYTES_MAX,
  })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  const installed = join(ROOT, 'node_modules')
  const modules = join(root, 'node_modules')
  await mkdir(join(modules, WORKSPACE_SCOPE), { recursive: true })
  const packages = (await readdir(installed)).filter((name) => name !== WORKSPACE_SCOPE)
  await Promise.all(packages.map((name) => symlink(join(installed, name), join(modules, name))))
  for (const name of await readdir(join(installed, WORKSPACE_SCOPE))) {
    const workspace = relative(ROOT, await realpath(join(installed, WORKSPACE_SCOPE, name)))
    await symlink(join(root, workspace), join(modules, WORKSPACE_SCOPE, name))
  }
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}

/** Asks the code of a checkout for its versions of stored events and of the rules. */
export async function readVersions(root: string): Promise<Pick<Release, 'schema' | 'model'>> {
  const program = `
    const { SCHEMA_VERSION: schema } = await import('./ledger-service/src/log/envelope.ts')
    const { model } = await import('./ledger-service/src/domain/model.ts')
    console.log(JSON.stringify({ schema, model: model.version }))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}
