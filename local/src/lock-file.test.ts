import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'

interface Package {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const EXACT = /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/
const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/

/** Lists the packages whose source or content the lock file does not determine. */
function listUnhashedPackages(packages: Readonly<Record<string, Package>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const { dependencies, devDependencies, optionalDependencies } = entry
    // A path outside node_modules is a workspace of this repository.
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) {
      const wanted = { ...dependencies, ...devDependencies, ...optionalDependencies }
      return Object.entries(wanted)
        .filter(([name, version]) => !name.startsWith('@cairn/') && !EXACT.test(version))
        .map(([name, version]) => `${path}: ${name} ${version}`)
    }
    if (entry.link === true) return []
    // If a package has no `resolved`, npm downloads the package from the registry that the
    // installation uses. npm then compares the downloaded package with the hash.
    if (entry.resolved !== undefined) return [path]
    // Optional tools for other operating systems have no hash in the lock file. They are never
    // installed.
    if (entry.dev === true && entry.optional === true && entry.integrity === undefined) return []
    return HASH.test(entry.integrity ?? '') ? [] : [path]
  })
}

test('each package has an exact version and a hash, and no address of its own', () => {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, Package> }
  expect(Object.keys(packages).length).toBeGreaterThan(500)
  expect(listUnhashedPackages(packages)).toEqual([])
})

test('sabotaged twin: a range, an address and a missing hash are found', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`
  const packages = {
    web: { dependencies: { react: '^19.0.0' } },
    'node_modules/a': { version: '1.0.0', integrity, resolved: 'https://evil.example/a.tgz' },
    'node_modules/b': { version: '1.0.0', integrity, resolved: 'git+ssh://git@host/b.git' },
    'node_modules/c': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', integrity: 'sha1-AAAA' },
    'node_modules/e': { version: '1.0.0', integrity },
  }
  expect(listUnhashedPackages(packages)).toEqual([
    'web: react ^19.0.0',
    'node_modules/a',
    'node_modules/b',
    'node_modules/c',
    'node_modules/d',
  ])
})
