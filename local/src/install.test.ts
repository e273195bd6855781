import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from './environment.ts'

// A copy of the installer in a folder with two packages: the platform needs the first package, and
// only the tests need the second.
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cairn-install-'))
  mkdirSync(join(root, 'local'))
  for (const file of ['install.mjs', 'install-lock.mjs']) {
    cpSync(join(ROOT, 'local', file), join(root, 'local', file))
  }
  for (const name of ['needed', 'tool']) {
    mkdirSync(join(root, name, 'package'), { recursive: true })
    writeText(`${name}/package/package.json`, JSON.stringify({ name, version: '1.0.0' }))
    writeText(`${name}/package/index.js`, `module.exports = '${name}'`)
    runProgram('tar', ['-czf', `${name}.tgz`, '-C', name, 'package'])
  }
  writeText(
    'package.json',
    JSON.stringify({
      name: 'planted',
      dependencies: { needed: 'file:needed.tgz' },
      devDependencies: { tool: 'file:tool.tgz' },
    }),
  )
  runProgram('npm', ['install', '--package-lock-only', '--offline'])
})
afterAll(() => rm(root, { recursive: true }))

function writeText(path: string, text: string): void {
  writeFileSync(join(root, path), text)
}

function runProgram(program: string, args: readonly string[]): string {
  const env = { ...process.env, npm_config_offline: 'true', npm_execpath: '' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

function runInstall(withTools: boolean): string {
  const call = `import('./local/install.mjs').then((it) => it.install({ withTools: ${withTools} }))`
  return runProgram(process.execPath, ['--input-type=module', '-e', call])
}

const getFile = (name: string) => join(root, 'node_modules', name, 'index.js')
const readInode = (name: string) => statSync(getFile(name)).ino

describe('installing', () => {
  test('installs the packages of the platform, without the tools', () => {
    expect(runInstall(false)).toContain('npm ci')
    expect([existsSync(getFile('needed')), existsSync(getFile('tool'))]).toEqual([true, false])
    expect(runInstall(false)).toBe('')
  })

  test('adds the tools and leaves the packages of a running platform unchanged', () => {
    const before = readInode('needed')
    expect(runInstall(true)).toContain('npm install')
    expect(existsSync(getFile('tool'))).toBe(true)
    expect(readInode('needed')).toBe(before)
    expect([runInstall(true), runInstall(false)]).toEqual(['', ''])
  })

  test('keeps the tools when the lock file has changed', () => {
    writeText('package-lock.json', `${readFileSync(join(root, 'package-lock.json'), 'utf8')}\n`)
    const before = readInode('needed')
    expect(runInstall(false)).toContain('npm install')
    expect([existsSync(getFile('tool')), readInode('needed')]).toEqual([true, before])
  })

  test('repairs tools that a killed npm left incomplete; the platform does not wait for it', () => {
    const before = readInode('needed')
    rmSync(getFile('tool'))
    writeText('node_modules/.cairn-unfinished', 'tools')
    expect(runInstall(false)).toBe('')
    runInstall(true)
    expect([existsSync(getFile('tool')), readInode('needed')]).toEqual([true, before])
  })

  test('reinstalls the platform’s packages that a killed npm left incomplete', () => {
    for (const leave of [
      () => rmSync(join(root, 'node_modules', '.package-lock.json')),
      () => writeText('node_modules/.cairn-unfinished', 'platform'),
    ]) {
      rmSync(getFile('needed'))
      leave()
      expect(runInstall(false)).toContain('npm ci')
      expect(existsSync(getFile('needed'))).toBe(true)
    }
  })

  test('takes over the lock of an ended process immediately', () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    mkdirSync(join(root, '.installing'))
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    writeText(
      '.installing/owner.json',
      JSON.stringify({ host: hostname(), holder: gone, npm: null }),
    )
    expect(runInstall(false)).not.toContain('waiting')
    expect([existsSync(getFile('needed')), existsSync(join(root, '.installing'))]).toEqual([
      true,
      false,
    ])
  })
})
