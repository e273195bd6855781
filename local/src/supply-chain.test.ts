import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './environment.ts'

interface LockedPackage {
  version?: string
  dev?: boolean
  link?: boolean
}

interface Component {
  name: string
  version: string
  purl: string
  hashes?: readonly unknown[]
}

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
/** Older versions of these packages have known vulnerabilities. */
const FLOORS = { koa: '3.1.2', sharp: '0.35.3', multer: '2.4.0' }
const SECRETS: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/=]{16}/,
  'a key of AWS': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  'a token of GitHub': /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  'a token of Slack': /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  'a key of Stripe': /\b[rs]k_live_[A-Za-z0-9]{16,}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b/,
  'a JSON web token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  'an address with a password':
    /\b(?:postgres|postgresql|smtps?|https?):\/\/[^\s:/@'"`]+:[\w+/=-]{20,}@/,
}
/** Files that must exist on a machine and never in the repository. */
const SECRET_FILES =
  /(?:^|\/)(?:\.env(?:\.\w+)?|\.npmrc|id_(?:rsa|ed25519)|[^/]+\.(?:pem|p12|pfx|key))$/

function readLock(): Readonly<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return packages
}

/** Returns what looks like a secret in the text of a file, or in its name. */
function findSecrets(name: string, text: string): readonly string[] {
  const found = Object.entries(SECRETS).filter(([, pattern]) => pattern.test(text))
  const what = found.map(([kind]) => `${name}: ${kind}`)
  return SECRET_FILES.test(name) ? [...what, `${name}: a file for secrets`] : what
}

/** Lists the locked packages below their floor. */
function findOldPackages(packages: Readonly<Record<string, LockedPackage>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, { version = '0' }]) => {
    const name = path.split('node_modules/').at(-1) ?? ''
    // The cast is safe, because the key is in the table.
    const floor = Object.hasOwn(FLOORS, name) ? FLOORS[name as keyof typeof FLOORS] : '0'
    const isOld = version.localeCompare(floor, 'en', { numeric: true }) < 0
    return isOld ? [`${path} ${version} is older than ${floor}`] : []
  })
}

/** Lists the packages that run and that the list of packages does not contain with a hash. */
function findUnlisted(
  packages: Readonly<Record<string, LockedPackage>>,
  components: readonly Component[],
): readonly string[] {
  const listed = new Map(components.map((component) => [component.purl, component]))
  return Object.entries(packages).flatMap(([path, { version = '', dev, link }]) => {
    if (!path.includes('node_modules/') || dev === true || link === true) return []
    const name = path.split('node_modules/').at(-1) ?? ''
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    const component = listed.get(purl)
    return component?.hashes === undefined ? [purl] : []
  })
}

const listComponents = (): readonly Component[] => {
  // With `--omit=dev`, npm leaves out each package that one workspace needs only for development,
  // although another workspace runs it.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX } as const
  return JSON.parse(execFileSync('npm', args, options)).components
}

describe('T60 supply chain', () => {
  test('the list of packages describes each package that runs', () => {
    const components = listComponents()
    expect(components.length).toBeGreaterThan(100)
    expect(findUnlisted(readLock(), components)).toEqual([])
  })

  test('no package is older than the version that mends it', () => {
    expect(findOldPackages(readLock())).toEqual([])
  })

  test('no file of the repository contains a secret', () => {
    const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX } as const
    const names = execFileSync('git', ['ls-files', '-z'], options).split('\0').filter(Boolean)
    expect(names.length).toBeGreaterThan(1_000)
    expect(
      names.flatMap((name) => findSecrets(name, readFileSync(join(ROOT, name), 'latin1'))),
    ).toEqual([])
  })

  test('sabotaged twin: an unlisted package, an old package and each kind of secret are found', () => {
    const packages = {
      'node_modules/koa': { version: '3.1.1' },
      'node_modules/a/node_modules/sharp': { version: '0.35.10' },
      'node_modules/multer': { version: '1.4.5' },
    }
    expect(findOldPackages(packages)).toEqual([
      'node_modules/koa 3.1.1 is older than 3.1.2',
      'node_modules/multer 1.4.5 is older than 2.4.0',
    ])
    expect(findUnlisted(packages, [])).toEqual([
      'pkg:npm/koa@3.1.1',
      'pkg:npm/sharp@0.35.10',
      'pkg:npm/multer@1.4.5',
    ])
    const letters = 'Ab1'.repeat(20)
    const planted = [
      `-----BEGIN ${'PRIVATE'} KEY-----\n${letters}`,
      `AKIA${'A1'.repeat(8)}`,
      `ghp_${letters.slice(0, 36)}`,
      `xoxb-${letters}`,
      `sk_live_${letters}`,
      `npm_${letters.slice(0, 36)}`,
      `eyJ${letters}.eyJ${letters}.${letters}`,
      `postgres://cairn:${letters}@db.example/cairn`,
    ]
    expect(planted.flatMap((text) => findSecrets('a.ts', text))).toEqual(
      Object.keys(SECRETS).map((kind) => `a.ts: ${kind}`),
    )
    expect(findSecrets('ops/.env', '')).toEqual(['ops/.env: a file for secrets'])
  })
})
