import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'

const ADR_FOLDER = join(ROOT, 'docs', 'adr')
const ADR_FILE = /^\d{4}-[a-z0-9-]+\.md$/

function listMarkdown(): readonly string[] {
  const atRoot = readdirSync(ROOT).map((name) => join(ROOT, name))
  const inDocs = readdirSync(join(ROOT, 'docs'), { recursive: true }).map((name) =>
    join(ROOT, 'docs', String(name)),
  )
  return [...atRoot, ...inDocs].filter((file) => file.endsWith('.md'))
}

/** Lists the targets of relative links without their anchors. Code is ignored. */
function listTargets(text: string): readonly string[] {
  const prose = text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^([a-z]+:|#)/i.test(target))
    .map((target) => target.replace(/#.*$/, ''))
}

/**
 * Compares each name with the directory listing, because a file system may ignore case but GitHub
 * does not.
 */
function isPresent(path: string): boolean {
  const parts = relative(ROOT, path).split('/')
  return parts.every((name, depth) =>
    readdirSync(join(ROOT, ...parts.slice(0, depth))).includes(name),
  )
}

function listBrokenLinks(file: string, text: string): readonly string[] {
  return listTargets(text).filter((target) => !isPresent(resolve(dirname(file), target)))
}

test('every relative link of the documentation names a file', () => {
  const files = listMarkdown()
  expect(files.length).toBeGreaterThan(10)
  const broken = files.flatMap((file) =>
    listBrokenLinks(file, readFileSync(file, 'utf8')).map(
      (target) => `${relative(ROOT, file)}: ${target}`,
    ),
  )
  expect(broken).toEqual([])
})

test('sabotaged twin: a link to a missing file is reported', () => {
  const text = '[a](README.md) [b](docs/missing.md#part) [c](readme.md) [d](https://x.example/y)'
  expect(listBrokenLinks(join(ROOT, 'x.md'), text)).toEqual(['docs/missing.md', 'readme.md'])
})

test('the index of decision records lists each record once', () => {
  const files = readdirSync(ADR_FOLDER).filter((name) => name !== 'README.md')
  expect(files.filter((name) => !ADR_FILE.test(name))).toEqual([])
  const listed = listTargets(readFileSync(join(ADR_FOLDER, 'README.md'), 'utf8'))
  expect([...listed]).toEqual(files.toSorted())
})

interface Step {
  file: string
  /**
   * The file name of the example, and the names that the line of the documentation mentions. The
   * file must contain at least one of the mentioned names.
   */
  names: readonly string[]
}

/** Lists the numbered steps of the examples, each with the file and the names that it mentions. */
function listSteps(text: string): readonly Step[] {
  return text.split('\n## ').flatMap((example) => {
    const [heading = '', ...lines] = example.split('\n')
    const name = listSpans(heading)
    return lines
      .filter((line) => /^\d+\. /.test(line))
      .map((line) => {
        const [file = '', ...others] = listSpans(line)
        return { file, names: [...name, ...others] }
      })
  })
}

function listSpans(line: string): readonly string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
}

function listWrongSteps(steps: readonly Step[]): readonly string[] {
  return steps
    .filter(({ file, names }) => {
      if (!isPresent(join(ROOT, file))) return true
      const text = readFileSync(join(ROOT, file), 'utf8')
      return !names.some((name) => text.includes(name))
    })
    .map(({ file }) => file)
}

test('every step of a worked example names a file that contains its subject', () => {
  const steps = listSteps(readFileSync(join(ROOT, 'docs', 'how-to.md'), 'utf8'))
  expect(steps.length).toBeGreaterThan(15)
  expect(listWrongSteps(steps)).toEqual([])
})

test('sabotaged twin: a missing file and a file without the subject are reported', () => {
  const text =
    '## Add, as `listSteps`\n\n1. `local/src/docs.test.ts`: a\n2. `a/b.ts`: b\n3. `LICENSE`: c\n'
  expect(listWrongSteps(listSteps(`# How to\n\n${text}`))).toEqual(['a/b.ts', 'LICENSE'])
})
