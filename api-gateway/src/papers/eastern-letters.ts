import { createRequire } from 'node:module'

const require = createRequire(import.meta.filename)
/** Of Chinese with Japanese, and of Korean: a letter that both have is drawn by the first. */
const FAMILIES = ['noto-sans-sc', 'noto-sans-kr']
/** Signs that western texts have too, as the raised dot, are not among them. */
const EASTERN =
  /^(?![\x20-\xff])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff01-\uffef]$/u

let files: ReadonlyMap<number, readonly string[]> | null = null

/** Whether it is a letter or a sign of Chinese, Japanese or Korean that the fonts have. */
export function isEastern(letter: string): boolean {
  return EASTERN.test(letter) && easternFilesOf(letter).length > 0
}

/** Each family is cut into many files of some letters each: those that may have this one, the best first. */
export function easternFilesOf(letter: string): readonly string[] {
  files ??= readFiles()
  return files.get(letter.codePointAt(0) ?? 0) ?? []
}

function readFiles(): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>()
  for (const family of FAMILIES) {
    const folder = `@fontsource-variable/${family}`
    // The ranges of each file, as the package writes them: {"[4]": "U+ff03-ff04,U+ff07"}.
    const parts: Record<string, string> = require(`${folder}/unicode.json`)
    for (const [part, ranges] of Object.entries(parts)) {
      const name = part.replace(/[[\]]/g, '')
      const file = require.resolve(`${folder}/files/${family}-${name}-wght-normal.woff2`)
      for (const code of ranges.split(',').flatMap(codesOf)) {
        found.set(code, [...(found.get(code) ?? []), file])
      }
    }
  }
  return found
}

function codesOf(range: string): number[] {
  const [first = 0, last = first] = range
    .replace('U+', '')
    .split('-')
    .map((hex) => Number.parseInt(hex, 16))
  return Array.from({ length: last - first + 1 }, (_, place) => first + place)
}
