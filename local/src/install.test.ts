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

// A checkout with one package that the platform needs and one that only tests need.
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cairn-install-'))
  mkdirSync(join(root, 'local'))
  for (const file of ['install.mjs', 'install-lock.mjs']) {
    cpSync(join(ROOT, 'local', file), join(root, 'local', file))
  }
  for (const name of ['needed', 'tool']) {
    mkdirSync(join(root, name, 'package'), { recursive: true })
    write(`${name}/package/package.json`, JSON.stringify({ name, version: '1.0.0' }))
    write(`${name}/package/index.js`, `module.exports = '${name}'`)
    run('tar', ['-czf', `${name}.tgz`, '-C', name, 'package'])
  }
  write(
    'package.json',
    JSON.stringify({
      name: 'planted',
      dependencies: { needed: 'file:needed.tgz' },
      devDependencies: { tool: 'file:tool.tgz' },
    }),
  )
  run('npm', ['install', '--package-lock-only', '--offline'])
})
afterAll(() => rm(root, { recursive: true }))

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text)
}

function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, npm_config_offline: 'true', npm_execpath: '' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}

function install(withTools: boolean): string {
  const call = `import('./local/install.mjs').then((it) => it.install({ withTools: ${withTools} }))`
  return run(process.execPath, ['--input-type=module', '-e', call])
}

const fileOf = (name: string) => join(root, 'node_modules', name, 'index.js')
const inodeOf = (name: string) => statSync(fileOf(name)).ino

describe('installing', () => {
  test('installs the packages of the platform, without the tools', () => {
    expect(install(false)).toContain('npm ci')
    expect([existsSync(fileOf('needed')), existsSync(fileOf('tool'))]).toEqual([true, false])
    expect(install(false)).toBe('')
  })

  test('adds the tools and leaves the packages of a running platform unchanged', () => {
    const before = inodeOf('needed')
    expect(install(true)).toContain('npm install')
    expect(existsSync(fileOf('tool'))).toBe(true)
    expect(inodeOf('needed')).toBe(before)
    expect([install(true), install(false)]).toEqual(['', ''])
  })

  test('keeps the tools when the lock file has changed', () => {
    write('package-lock.json', `${readFileSync(join(root, 'package-lock.json'), 'utf8')}\n`)
    const before = inodeOf('needed')
    expect(install(false)).toContain('npm install')
    expect([existsSync(fileOf('tool')), inodeOf('needed')]).toEqual([true, before])
  })

  test('repairs tools that a killed npm left incomplete; the platform does not wait for it', () => {
    const before = inodeOf('needed')
    rmSync(fileOf('tool'))
    write('node_modules/.cairn-unfinished', 'tools')
    expect(install(false)).toBe('')
    install(true)
    expect([existsSync(fileOf('tool')), inodeOf('needed')]).toEqual([true, before])
  })

  test('reinstalls the platform’s packages that a killed npm left incomplete', () => {
    for (const leave of [
      () => rmSync(join(root, 'node_modules', '.package-lock.json')),
      () => write('node_modules/.cairn-unfinished', 'platform'),
    ]) {
      rmSync(fileOf('needed'))
      leave()
      expect(install(false)).toContain('npm ci')
      expect(existsSync(fileOf('needed'))).toBe(true)
    }
  })

  test('takes over the lock of an ended process immediately', () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    mkdirSync(join(root, '.installing'))
    const gone = spawnSync(process.execPath, ['-e', '']).pid
    write('.installing/owner.json', JSON.stringify({ host: hostname(), holder: gone, npm: null }))
    expect(install(false)).not.toContain('waiting')
    expect([existsSync(fileOf('needed')), existsSync(join(root, '.installing'))]).toEqual([
      true,
      false,
    ])
  })
})
